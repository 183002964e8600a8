// The table of a class: it is sorted by a column, searched, and unfolds a student's checks.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const table = document.getElementById("class");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];

  // A student's name and messages are text; nothing of them is ever read as HTML.
  const make = (tag, className, ...content) => {
    const e = document.createElement(tag);
    if (className) e.className = className;
    e.append(...content);
    return e;
  };

  // Sorting: what is empty comes last in both directions, and who is equal stays in order.
  const order = new Intl.Collator(undefined, { numeric: true });
  const value = (row, column) => row.cells[column].dataset.v;
  const sort = (column) => {
    const th = heads[column];
    const down = th.getAttribute("aria-sort") === (th.classList.contains("n") ? "none" : "ascending");
    for (const h of heads) h.setAttribute("aria-sort", "none");
    th.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.sort((a, b) => {
      const x = value(a, column), y = value(b, column);
      if (x === "" || y === "") return (x === "") - (y === "");
      return (down ? -1 : 1) * order.compare(x, y);
    });
    for (const row of rows) {
      body.append(row);
      if (row.details) body.append(row.details);
    }
  };
  heads.forEach((th, column) => th.firstElementChild.addEventListener("click", () => sort(column)));

  // Searching.
  const find = document.getElementById("find"), shown = document.getElementById("shown");
  find.addEventListener("input", () => {
    const text = find.value.trim().toLowerCase();
    let n = 0;
    for (const row of rows) {
      const hit = row.cells[0].textContent.toLowerCase().includes(text) || row.cells[1].textContent.toLowerCase().includes(text);
      row.hidden = !hit;
      if (row.details) row.details.hidden = !hit || !row.opened;
      n += hit;
    }
    shown.textContent = text ? `${n} of ${rows.length}` : "";
  });

  // Unfolding: a row below the student's, made when it is first asked for.
  const evidence = (student, chapter, check) =>
    ["evidence", student.key, chapter.id, check.name + ".txt"].map(encodeURIComponent).join("/");
  const points = (student, check, letter) => check.sum ? student.hidden : letter === "p" ? check.points : 0;
  // What many checks say alike, such as that a file was refused, is there once.
  const checkItem = (student, chapter, check, letter, message, before) => {
    const item = make("li", "", make("span", "word " + letter, data.words[letter]), " ", make("b", "", check.name),
      make("span", "of", ` ${points(student, check, letter)}/${check.points} `), make("span", "property", check.property));
    if (message !== undefined && message === before) item.append(" ", make("span", "same", "for the same reason"));
    else if (message !== undefined) item.append(make("div", "message", data.messages[message]));
    if (!"pt".includes(letter)) {
      const link = make("a", "", "evidence");
      link.href = evidence(student, chapter, check);
      item.append(" ", link);
    }
    return item;
  };
  const counts = (letters) => {
    const parts = [];
    for (const [letter, word] of Object.entries(data.words)) {
      const n = letters.split(letter).length - 1;
      if (n) parts.push(`${n} ${word}`);
    }
    return parts.join(", ");
  };
  const unfolded = (student) => {
    const inside = make("div", "inside", ...student.about.map((text) => make("p", "", text)));
    let first = 0;
    (student.chapters || []).forEach((letters, i) => {
      const chapter = data.chapters[i], before = first;
      const list = make("ul", "");
      let got = 0, of = 0;
      chapter.checks.forEach((check, j) => {
        of += check.points;
        got += points(student, check, letters[j]);
        const says = (k) => student.says && student.says[before + k];
        list.append(checkItem(student, chapter, check, letters[j], says(j), j > 0 ? says(j - 1) : undefined));
      });
      first += chapter.checks.length;
      const title = make("summary", "", make("b", "", chapter.number ? `${chapter.number}. ${chapter.title}` : chapter.title), ` ${got}/${of} `, make("span", "of", counts(letters)));
      const details = make("details", "", title, list);
      details.dataset.chapter = i;
      inside.append(details);
    });
    const td = make("td", "", inside);
    td.colSpan = heads.length;
    return make("tr", "opened", td);
  };
  const open = (row, opened) => {
    row.opened = opened;
    row.cells[0].firstElementChild.setAttribute("aria-expanded", opened);
    if (opened && !row.details) {
      row.details = unfolded(data.students[row.dataset.index]);
      row.after(row.details);
    }
    if (row.details) row.details.hidden = !opened;
  };
  for (const row of rows) {
    row.cells[0].firstElementChild.addEventListener("click", () => open(row, !row.opened));
  }
  // A click on the points of a chapter shows its checks. With the keyboard it is the student, then the chapter.
  body.addEventListener("click", (event) => {
    const cell = event.target.closest("td.ch");
    if (!cell) return;
    const row = cell.parentElement;
    open(row, true);
    const chapter = row.details.querySelector(`[data-chapter="${cell.cellIndex - 3}"]`);
    if (chapter) chapter.open = true;
  });
})();
