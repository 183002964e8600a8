"use strict";

// say puts values in the places of %d and %s in a text of the page.
const say = (text, ...values) => values.reduce((t, v) => t.replace(/%[ds]/, () => v), text);

// stored and store keep what a reader has chosen or done, in this browser, if it lets us.
function stored(key) {
  try { return localStorage.getItem("gosched-" + key); } catch { return null; }
}
function store(key, value) {
  try { localStorage.setItem("gosched-" + key, value); } catch { /* then not */ }
}

// Search: plain substrings over the text of the sections, so that it needs no
// server and no knowledge of a language. The index is a script of its own,
// loaded when the field first gets the focus.
(() => {
  const field = document.getElementById("search");
  const list = document.getElementById("results");
  const found = list.parentElement;
  const status = found.querySelector("[role=status]");
  const limit = 20; // hits shown
  let index = null;

  // fold makes letters comparable and keeps every position.
  const fold = (s) => Array.from(s, (c) => (c.toLowerCase().length === c.length ? c.toLowerCase() : c)).join("");

  function load() {
    if (document.getElementById("search-index")) return;
    const script = document.createElement("script");
    script.id = "search-index";
    script.src = "search.js";
    script.onload = () => {
      index = window.goschedSearch.map((e) => ({ ...e, page: fold(e.p), section: fold(e.s), text: fold(e.t) }));
      show();
    };
    script.onerror = () => open([], field.dataset.failed);
    document.head.append(script);
  }

  // find returns the entries that hold all words, titles first, else in the
  // order of the book.
  function find(words) {
    const hits = [];
    index.forEach((e, order) => {
      let score = 0;
      for (const w of words) {
        if (e.section.includes(w)) score += 4;
        else if (e.page.includes(w)) score += e.section === "" ? 4 : 2;
        else if (e.text.includes(w)) score += 1;
        else return;
      }
      hits.push({ e, score, order });
    });
    return hits.sort((a, b) => b.score - a.score || a.order - b.order).map((h) => h.e);
  }

  // excerpt is the text around the first word, with the words marked.
  function excerpt(e, words) {
    const at = Math.max(0, Math.min(...words.map((w) => e.text.indexOf(w)).filter((i) => i >= 0), e.text.length) - 40);
    const end = Math.min(e.t.length, at + 140);
    const out = document.createElement("small");
    if (at > 0) out.append("… ");
    let i = at;
    while (i < end) {
      const word = words.find((w) => e.text.startsWith(w, i));
      if (word) {
        const mark = document.createElement("mark");
        mark.textContent = e.t.slice(i, i + word.length);
        out.append(mark);
        i += word.length;
      } else {
        let next = i + 1;
        while (next < end && !words.some((w) => e.text.startsWith(w, next))) next++;
        out.append(e.t.slice(i, next));
        i = next;
      }
    }
    if (end < e.t.length) out.append(" …");
    return out;
  }

  // open shows hits, and says how many there are. The focus stays in the field: the one
  // that the arrow keys have reached is named by aria-activedescendant.
  function open(hits, text, words = []) {
    status.textContent = text;
    list.replaceChildren(...hits.map((e, i) => {
      const a = document.createElement("a");
      a.href = e.u;
      a.id = "search-hit-" + i;
      a.role = "option";
      a.tabIndex = -1;
      a.ariaSelected = "false";
      const title = document.createElement("b");
      title.textContent = e.s === "" ? e.p : e.p + " · " + e.s;
      a.append(title, excerpt(e, words));
      return a;
    }));
    found.classList.add("open");
    found.scrollTop = 0;
    field.ariaExpanded = String(hits.length > 0);
    field.removeAttribute("aria-activedescendant");
  }

  function close() {
    found.classList.remove("open");
    status.textContent = "";
    list.replaceChildren();
    field.ariaExpanded = "false";
    field.removeAttribute("aria-activedescendant");
  }

  function show() {
    const words = fold(field.value).split(/\s+/).filter(Boolean);
    if (!index || words.length === 0) return close();
    const hits = find(words);
    if (hits.length === 0) open([], field.dataset.none);
    else if (hits.length <= limit) open(hits, say(field.dataset.hits, hits.length), words);
    else open(hits.slice(0, limit), say(field.dataset.first, hits.length, limit), words);
  }

  const chosen = () => list.querySelector("[aria-selected=true]");
  function choose(hit) {
    const before = chosen();
    if (before) before.ariaSelected = "false";
    if (!hit) return field.removeAttribute("aria-activedescendant");
    hit.ariaSelected = "true";
    hit.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", hit.id);
  }

  const keys = {
    ArrowDown: () => choose(chosen() ? chosen().nextElementSibling : list.firstElementChild),
    ArrowUp: () => choose(chosen() ? chosen().previousElementSibling : list.lastElementChild),
    Enter: () => (chosen() ?? list.firstElementChild)?.click(),
    Escape() { // first the list closes, then the field empties
      if (found.classList.contains("open")) close();
      else field.value = "";
    },
  };
  field.addEventListener("focus", () => { load(); show(); });
  field.addEventListener("input", show);
  field.addEventListener("keydown", (e) => {
    if (!keys[e.key] || e.isComposing || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    keys[e.key]();
  });
  found.addEventListener("mousedown", (e) => e.preventDefault()); // the focus stays where it is
  list.addEventListener("click", (e) => { if (e.target.closest("a")) close(); });
  field.addEventListener("blur", close);
  document.addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.target.closest("input, textarea, select, [contenteditable]")) return;
    e.preventDefault();
    field.focus();
    field.select();
  });
})();

// The button of the colours goes from those of the system to light, to dark, and back.
// The page has its colours from a script in its head, before this one.
(() => {
  const button = document.querySelector(".theme");
  const themes = ["system", "light", "dark"];
  const root = document.documentElement;
  function set(theme) {
    root.dataset.theme = theme;
    button.ariaLabel = button.title = button.dataset[theme];
  }
  set(themes.includes(root.dataset.theme) ? root.dataset.theme : "system");
  button.addEventListener("click", () => {
    set(themes[(themes.indexOf(root.dataset.theme) + 1) % themes.length]);
    store("theme", root.dataset.theme);
  });
  addEventListener("storage", (e) => { // another page of the book has changed them
    if (e.key === "gosched-theme" && themes.includes(e.newValue)) set(e.newValue);
  });
})();

// The list of pages: on a phone it closes when a link is taken; the section being read is
// marked, and in sight.
(() => {
  const pages = document.getElementById("pages");
  pages.addEventListener("click", (e) => {
    if (e.target.closest("a") && pages.matches(":popover-open")) pages.hidePopover();
  });
  const links = new Map(Array.from(pages.querySelectorAll(".sections a"), (a) => [decodeURIComponent(a.hash.slice(1)), a]));
  const sections = Array.from(links.keys(), (id) => document.getElementById(id)).filter(Boolean);

  // reveal scrolls the list, and only the list, until a link in it is in sight.
  function reveal(a) {
    const box = pages.getBoundingClientRect(), at = a.getBoundingClientRect(), room = box.height / 5;
    if (at.top < box.top + room) pages.scrollTop += at.top - box.top - room;
    else if (at.bottom > box.bottom - room) pages.scrollTop += at.bottom - box.bottom + room;
  }

  let last = null;
  function mark() {
    const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const read = sections.filter((s) => s.getBoundingClientRect().top < innerHeight * (end ? 1 : 1 / 3)).pop();
    const link = read && links.get(read.id);
    if (link === last) return;
    last?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    if (link) reveal(link);
    last = link;
  }
  const current = pages.querySelector("[aria-current=page]");
  pages.addEventListener("toggle", () => reveal(last ?? current));
  reveal(current);
  addEventListener("scroll", mark, { passive: true });
  mark();
})();

// A page has been read when its end was seen; the list of pages marks those.
(() => {
  const { page, read: word } = document.body.dataset;
  const read = () => (stored("read") ?? "").split(" ").filter(Boolean);
  function show() {
    const names = read();
    for (const a of document.querySelectorAll("#pages a")) {
      if (!names.includes(a.getAttribute("href")) || a.classList.contains("read")) continue;
      const said = document.createElement("span");
      said.className = "unseen";
      said.textContent = word;
      a.classList.add("read");
      a.append(" ", said);
    }
  }
  show();
  if (read().includes(page)) return;
  const end = new IntersectionObserver((seen) => {
    if (!seen.some((s) => s.isIntersecting)) return;
    end.disconnect();
    store("read", [...new Set([...read(), page])].join(" "));
    show();
  });
  end.observe(document.querySelector("footer"));
})();

// What scrolls sideways can be reached with the keyboard, and has a name; the rest of the
// tables and code is no stop on the reader's way.
(() => {
  const names = new Map();
  function nameOf(block) {
    const head = block.closest("figure")?.querySelector(":scope > .head code");
    const from = head ?? block.querySelector("th:not(:empty)") ?? block;
    const first = from.textContent.trim().split("\n")[0].slice(0, 60);
    for (let n = 1; ; n++) { // no name twice
      const name = say(document.body.dataset.scrolls, n > 1 ? first + " " + n : first);
      if (![...names.values()].includes(name)) return name;
    }
  }
  const fit = (block) => {
    if (block.scrollWidth <= block.clientWidth + 1) {
      for (const name of ["tabindex", "role", "aria-label"]) block.removeAttribute(name);
    } else if (block.tabIndex < 0) {
      if (!names.has(block)) names.set(block, nameOf(block));
      block.tabIndex = 0;
      block.role = "group";
      block.ariaLabel = names.get(block);
    }
  };
  const sizes = new ResizeObserver((seen) => seen.forEach((s) => fit(s.target)));
  for (const block of document.querySelectorAll("pre.source, .scroll")) sizes.observe(block);
})();

// Commands and code have a button that copies them.
(() => {
  const words = document.body.dataset;
  const status = document.createElement("p");
  status.role = "status";
  status.className = "unseen";
  document.body.append(status);
  const icon = `<svg class="plain" viewBox="0 0 16 16" aria-hidden="true"><rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M3.5 10.5h-1v-8h8v1"/></svg>
    <svg class="done" viewBox="0 0 16 16" aria-hidden="true"><path d="m3 8.5 3.5 3.5L13 4.5"/></svg>`;

  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea"); // a page that is not served from this computer
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }

  for (const from of document.querySelectorAll("article [data-copy]")) {
    if (from.closest(".solution")) continue; // it is not to be seen yet
    const text = from.textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.title = button.ariaLabel = say(words.copy, text.trim().split("\n")[0].slice(0, 80));
    button.innerHTML = icon;
    let timer = 0;
    button.addEventListener("click", async () => {
      await copy(text);
      status.textContent = words.copied;
      button.classList.add("copied");
      clearTimeout(timer);
      timer = setTimeout(() => {
        button.classList.remove("copied");
        status.textContent = "";
      }, 2000);
    });
    const head = from.closest(".head") ?? from.closest("figure")?.querySelector(":scope > .head");
    if (head) head.append(button);
    else if (from.matches("pre")) {
      const listing = document.createElement("div");
      listing.className = "listing";
      from.replaceWith(listing);
      listing.append(from, button);
    } else from.after(" ", button);
  }
})();

// On a phone long code and the tables that are for reference fold. If the window becomes
// wide, as when the phone is turned, they are open, since long code has no fold there.
(() => {
  const phone = matchMedia("(max-width: 40rem)");
  const unfold = (open) => { for (const d of document.querySelectorAll("details.reference, details.long")) d.open = open; };
  if (phone.matches) unfold(false);
  phone.addEventListener("change", () => { if (!phone.matches) unfold(true); });
})();

// A link into something folded unfolds it: from a ✓ to the fact in the list at the end.
(() => {
  function unfold() {
    const to = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = to?.closest("details:not([open])");
    if (!folded) return;
    folded.open = true;
    to.scrollIntoView();
  }
  addEventListener("hashchange", unfold);
  unfold();
})();

// On paper all answers are open.
(() => {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll("details:not([open])"));
    for (const d of opened) d.open = true;
  });
  addEventListener("afterprint", () => { for (const d of opened) d.open = false; });
})();
