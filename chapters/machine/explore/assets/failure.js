// Makes the steppers of a page. An element .fail shows a failure; its JSON has the steps of
// the schedule. The step shown is a stepper's only state. On a page about failures, which has
// a body of class fail-page, steppers are open, the first has the keys always, and the page's
// address holds the step of each: #ID=8. On any other page they leave the address alone.
(() => {
"use strict";

// h makes an element. Strings become text, never markup.
const h = (tag, attrs, ...kids) => {
  const e = document.createElement(tag);
  for (const k in attrs) {
    if (k.startsWith("on")) e.addEventListener(k.slice(2), attrs[k]);
    else if (attrs[k] !== undefined && attrs[k] !== false) e.setAttribute(k, attrs[k]);
  }
  e.append(...kids.flat(2).filter(k => k !== null && k !== undefined && k !== false));
  return e;
};

// fill puts values where a text has %.
const fill = (text, ...values) => text.replace(/%/g, () => values.shift());

// code shows code, which may be broken behind the names and parentheses in it.
const code = text => h("code", {}, text.split(/(?<=[.(])(?![…)])/).flatMap((part, i) => i === 0 ? part : [h("wbr"), part]));

// stepper returns the element for f, and what moves it; moved is told each step.
function stepper(f, moved) {
  const w = f.words, last = f.steps.length;
  let at = -1;
  const name = t => t < 0 ? w.check : f.threads[t];
  const tag = t => h("b", {class: "fail-who", "data-thread": t < 0 ? -1 : t % f.colours}, name(t));
  const turns = f.steps.flatMap((s, i) => s.why ? i + 1 : []);
  const nextTurn = () => turns.find(i => i > at) || last;

  // The controls.
  const button = (label, key, to, cls) => h("button", {type: "button", class: cls, title: `${label} (${key})`, onclick: () => go(to())}, label);
  const first = button(w.first, "Home", () => 0), back = button(w.back, "←", () => at - 1);
  const next = button(w.step, "→", () => at + 1, "fail-next");
  const turn = turns.length > 0 && button(w.turn, "s", nextTurn), end = button(w.last, "End", () => last);
  const slider = h("input", {type: "range", min: 0, max: last, "aria-label": w.line, oninput: () => go(+slider.value)});

  // The narration: the only part that a screen reader is told of by itself.
  const say = h("div", {class: "fail-say", "aria-live": "polite", "aria-atomic": "true"});
  const position = n => fill(w.position, n, last) + (n > 0 && f.steps[n - 1].n ? ", " + fill(w.number, f.steps[n - 1].n) : "");
  const narration = n => {
    const s = f.steps[n - 1];
    return [h("p", {class: "fail-when"}, position(n)),
      s ? h("p", {}, s.why && s.why + ". ", tag(s.t), " ", s.note ? s.s : code(s.s), s.e && h("span", {class: "fail-effect"}, "  " + s.e),
        s.p && h("span", {class: "fail-place"}, ` ${s.p}${s.f ? " · " + s.f : ""}`)) : h("p", {}, w.start),
      n === last && h("p", {class: "fail-wrong"}, h("b", {}, f.kind + ": "), f.message[0])]; // the rest stands above the listing
  };

  // The lanes. On a narrow page they are one column, in which a row's tag says its thread.
  const rows = f.steps.map((s, i) => h("li", {class: "fail-row", style: `--lane: ${Math.max(s.t, 0)}`, onclick: () => go(i + 1)},
    h("span", {class: "fail-no"}, s.n || ""),
    h("span", {class: "fail-what"}, tag(s.t), " ", s.note ? h("i", {}, s.s) : code(s.s), s.e && h("span", {class: "fail-effect"}, "  " + s.e)),
    s.p && h("span", {class: "fail-place", title: s.f}, s.p)));
  rows.forEach((r, i) => {
    r.classList.toggle("fail-write", !!f.steps[i].w);
    r.classList.toggle("fail-here", !!f.steps[i].h);
  });
  const run = h("ol", {class: "fail-run", role: "list"}, rows.map((r, i) => [f.steps[i].why && h("li", {class: "fail-why"}, f.steps[i].why), r]));
  const head = h("div", {class: "fail-head", "aria-hidden": "true"}, f.threads.map((t, i) => h("b", {"data-thread": i % f.colours, style: `--lane: ${i}`}, t)));
  const scroll = h("div", {class: "fail-scroll", style: `--shift: ${Math.min(42 / Math.max(1, f.threads.length - 1), 36)}cqi`}, head, run);

  // The variables.
  const values = f.variables.map(() => h("dd", {}));
  const variables = f.variables.map((v, i) => h("div", {}, h("dt", {}, v.name), values[i]));
  const now = h("div", {class: "fail-now"}, h("dl", {class: "fail-vars"}, variables));

  const root = h("div", {class: "fail-stepper", role: "group", "aria-label": fill(w.controls, f.title), tabindex: -1, onkeydown: press},
    h("div", {class: "fail-bar"}, first, back, next, turn, end, slider), say,
    h("div", {class: "fail-both"},
      variables.length > 0 && h("div", {class: "fail-side"}, h("p", {class: "fail-h"}, w.variables), now),
      h("div", {}, h("p", {class: "fail-h"}, w.schedule), scroll, f.total > last && h("p", {class: "fail-when"}, fill(w.cut, last, f.total)))));

  function showVariables(s) {
    const value = f.variables.map(v => v.value), seen = new Set();
    for (const d of f.steps.slice(0, at)) if (d.o >= 0) { value[d.o] = d.v; seen.add(d.o); }
    variables.forEach((e, i) => {
      values[i].textContent = value[i];
      e.className = s && s.o === i ? (s.w ? "fail-changed" : "fail-looked") : seen.has(i) ? "" : "fail-unseen";
    });
    if (s && s.o >= 0) reveal(now, variables[s.o], 0);
  }

  // go goes to step n: after n lines of the schedule.
  function go(n) {
    n = Math.min(Math.max(n, 0), last);
    if (n === at) return;
    at = n;
    const s = f.steps[at - 1];
    say.replaceChildren(...narration(at).filter(Boolean));
    say.scrollTop = 0;
    rows.forEach((r, i) => {
      r.classList.toggle("fail-later", i >= at);
      r.classList.toggle("fail-at", i === at - 1);
      if (i === at - 1) r.setAttribute("aria-current", "step");
      else r.removeAttribute("aria-current");
    });
    showVariables(s);
    for (const b of [first, back]) b.setAttribute("aria-disabled", at === 0);
    for (const b of [next, turn, end]) if (b) b.setAttribute("aria-disabled", at === last);
    slider.value = at;
    slider.setAttribute("aria-valuetext", position(at));
    if (s) reveal(scroll, rows[at - 1], head.offsetHeight);
    else scroll.scrollTop = 0;
    moved(at);
  }

  // press takes a key. The slider has its own use for them.
  function press(e) {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || e.target === slider) return;
    const to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last, s: nextTurn()}[e.key];
    if (to === undefined) return;
    e.preventDefault();
    go(to);
  }

  // fit gives the narration the room of the longest one, but for the end, so that the lanes
  // stay where they are; and it brings the step in sight again.
  function fit() {
    const probe = h("div", {class: "fail-say fail-probe", "aria-hidden": "true", style: `width: ${say.offsetWidth}px`});
    root.append(probe);
    const size = s => (s.why || "").length + s.s.length + (s.e || "").length + (s.p || "").length;
    const longest = f.steps.map((s, i) => i + 1).slice(0, -1).sort((a, b) => size(f.steps[b - 1]) - size(f.steps[a - 1])).slice(0, 8);
    let most = 0;
    for (const n of longest) {
      probe.replaceChildren(...narration(n).filter(Boolean));
      most = Math.max(most, probe.offsetHeight);
    }
    probe.remove();
    say.style.minHeight = most + "px";
    if (at > 0) reveal(scroll, rows[at - 1], head.offsetHeight);
  }
  let width = 0;
  new ResizeObserver(() => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    if (width > 0) requestAnimationFrame(fit); // it changes sizes, which an observer must not
  }).observe(root);

  return {root, go, press};
}

// reveal scrolls box, and nothing else, so that a row of it is in sight, with some of what is
// around; top is the height of what covers its upper edge.
function reveal(box, row, top) {
  const above = row.offsetTop - top, below = row.offsetTop + row.offsetHeight - box.clientHeight, more = row.offsetHeight;
  if (box.scrollTop > above - more) box.scrollTop = above - more;
  else if (box.scrollTop < below + more) box.scrollTop = below + more;
}

// fold shows the stepper of root when the reader asks for it, and makes it then.
function fold(root, f) {
  const summary = h("summary", {}, f.words.open), box = h("details", {class: "fail-steps"}, summary);
  let asked = false; // by the reader, and not to print the page
  summary.addEventListener("click", () => { asked = !box.open; });
  box.addEventListener("toggle", () => {
    if (!box.open || !asked) return;
    asked = false;
    if (box.children.length === 1) {
      const s = stepper(f, () => {});
      box.append(s.root);
      s.go(0);
    }
    box.scrollIntoView({block: "nearest"});
  });
  root.append(box);
}

// unfold makes the stepper of root on a page about failures. What else the page's address
// holds, such as the steps of timelines, it leaves there.
function unfold(root, f) {
  const address = () => new URLSearchParams(location.hash.slice(1)), stepOfAddress = () => +address().get(root.id) || 0;
  let later = 0;
  const s = stepper(f, at => {
    clearTimeout(later); // browsers refuse a page that sets its address too often
    later = setTimeout(() => {
      const a = address();
      a.set(root.id, at);
      if (at !== stepOfAddress()) history.replaceState(null, "", "#" + a);
    }, 150);
  });
  s.root.classList.add("fail-steps");
  root.querySelector(".fail-lanes").before(s.root);
  s.go(stepOfAddress());
  addEventListener("hashchange", () => s.go(stepOfAddress()));
  if (root === document.querySelector(".fail:has(> script)"))
    document.addEventListener("keydown", e => { if (e.target === document.body) s.press(e); });
}

for (const root of document.querySelectorAll(".fail")) {
  const json = root.querySelector("script");
  if (json) (document.body.classList.contains("fail-page") ? unfold : fold)(root, JSON.parse(json.textContent));
}
})();
