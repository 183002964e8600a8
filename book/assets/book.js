"use strict";

// Search: plain substrings over the text of the sections, so that it needs no
// server and no knowledge of a language. The index is a script of its own,
// loaded when the field first gets the focus.
(() => {
  const field = document.getElementById("search");
  const list = document.getElementById("results");
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
    script.onerror = () => say(field.dataset.failed);
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
    return hits.sort((a, b) => b.score - a.score || a.order - b.order).slice(0, limit).map((h) => h.e);
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

  function say(text) {
    const p = document.createElement("p");
    p.textContent = text;
    list.replaceChildren(p);
    list.hidden = false;
  }

  function show() {
    const words = fold(field.value).split(/\s+/).filter(Boolean);
    if (!index || words.length === 0) {
      list.hidden = true;
      return;
    }
    const hits = find(words);
    if (hits.length === 0) return say(field.dataset.none);
    list.replaceChildren(...hits.map((e) => {
      const a = document.createElement("a");
      a.href = e.u;
      const title = document.createElement("b");
      title.textContent = e.s === "" ? e.p : e.p + " · " + e.s;
      a.append(title, excerpt(e, words));
      return a;
    }));
    list.hidden = false;
    list.scrollTop = 0;
  }

  function close() {
    list.hidden = true;
  }

  field.addEventListener("focus", () => { load(); show(); });
  field.addEventListener("input", show);
  field.addEventListener("keydown", (e) => {
    const first = list.hidden ? null : list.querySelector("a");
    if (e.key === "Escape") { field.value = ""; close(); field.blur(); }
    if (first && e.key === "Enter") first.click();
    if (first && e.key === "ArrowDown") { e.preventDefault(); first.focus(); }
  });
  list.addEventListener("keydown", (e) => {
    const here = document.activeElement;
    if (e.key === "Escape") { field.focus(); close(); }
    if (e.key === "ArrowDown") { e.preventDefault(); here.nextElementSibling?.focus(); }
    if (e.key === "ArrowUp") { e.preventDefault(); (here.previousElementSibling ?? field).focus(); }
  });
  list.addEventListener("click", close);
  document.addEventListener("click", (e) => { if (!field.parentElement.contains(e.target)) close(); });
  document.addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.target.closest("input, textarea, select, [contenteditable]")) return;
    e.preventDefault();
    field.focus();
    field.select();
  });
})();

// The list of pages: on a phone it closes when a link is taken; the section
// being read is marked.
(() => {
  const pages = document.getElementById("pages");
  pages.addEventListener("click", (e) => {
    if (e.target.closest("a") && pages.matches(":popover-open")) pages.hidePopover();
  });
  const links = new Map(Array.from(pages.querySelectorAll(".sections a"), (a) => [decodeURIComponent(a.hash.slice(1)), a]));
  const sections = Array.from(links.keys(), (id) => document.getElementById(id)).filter(Boolean);
  function mark() {
    const read = sections.filter((s) => s.getBoundingClientRect().top < innerHeight / 3).pop();
    for (const [id, a] of links) {
      if (read && read.id === id) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
    }
  }
  if (sections.length > 0) {
    addEventListener("scroll", mark, { passive: true });
    mark();
  }
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
