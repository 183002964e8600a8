// Draws the schedule of a failure, and goes through it. The step shown is the
// only state, and it is in the page's address.
(() => {
"use strict";
const f = JSON.parse(document.getElementById("data").textContent);
const root = document.getElementById("failure");
const last = f.steps.length;

// h makes an element. Strings become text, never markup.
const h = (tag, attrs, ...kids) => {
  const e = document.createElement(tag);
  for (const k in attrs) {
    if (k.startsWith("on")) e.addEventListener(k.slice(2), attrs[k]);
    else if (attrs[k] !== undefined && attrs[k] !== false) e.setAttribute(k, attrs[k]);
  }
  e.append(...kids.flat().filter(k => k !== null && k !== undefined && k !== false));
  return e;
};
const who = t => t < 0 ? "the check" : f.threads[t];

const when = h("div", {class: "when"}), text = h("div", {class: "text"});
const go = (to, label, key, cls) => h("button", {type: "button", class: cls, title: key, onclick: () => show(to())}, label);
let at = 0;
const nextSwitch = () => {
  for (let i = at + 1; i <= last; i++) if (f.steps[i - 1].why) return i;
  return last;
};
const buttons = {
  first: go(() => 0, "First", "Home"), back: go(() => at - 1, "Back", "←"),
  step: go(() => at + 1, "Step", "→", "step"),
  turn: go(nextSwitch, "Next switch", "s"), last: go(() => last, "Last", "End"),
};
const scrub = h("input", {type: "range", min: 0, max: last, "aria-label": "line", oninput: () => show(+scrub.value)});

const heads = f.threads.map(t => h("th", {scope: "col"}, t));
const rows = [];
const body = h("tbody", {});
f.steps.forEach((s, i) => {
  if (s.why) body.append(h("tr", {class: "why"}, h("td", {}), h("td", {colspan: f.threads.length + 1}, h("span", {}, who(s.from) + " " + s.why))));
  const cell = s.note ? h("span", {class: "n"}, s.s) : [s.s, s.e ? h("span", {class: "e"}, "  " + s.e) : null];
  const lanes = f.threads.map((name, t) => h("td", {class: "lane", "data-name": name, style: `--lane: ${t}`}, t === Math.max(s.t, 0) ? (s.t < 0 ? ["check: ", cell] : cell) : null));
  const row = h("tr", {class: "is", onclick: () => show(i + 1)}, h("td", {class: "no"}, s.n ? String(s.n) : ""), lanes, h("td", {class: "place", title: s.f || ""}, s.p || ""));
  rows.push(row);
  body.append(row);
});
const vars = f.objects.map(o => {
  const value = h("td", {});
  return {row: h("tr", {}, h("td", {}, o.name), value), value};
});

root.replaceChildren(
  h("h1", {}, f.title),
  h("p", {class: "kind"}, f.kind),
  h("ul", {class: "wrong"}, f.message.map(m => h("li", {}, m))),
  h("div", {class: "head"},
    h("div", {class: "say", "aria-live": "polite"}, when, text),
    h("div", {class: "bar"}, buttons.first, buttons.back, buttons.step, buttons.turn, buttons.last, scrub)),
  h("div", {class: "both"},
    h("section", {}, h("h2", {}, "Schedule"),
      h("table", {class: "lanes"}, h("thead", {}, h("tr", {}, h("th", {class: "no"}), heads, h("th", {class: "place"}))), body),
      f.total > last ? h("p", {class: "none"}, `The first ${last} of ${f.total} lines.`) : null),
    h("section", {class: "now"}, h("h2", {}, "Shared variables"),
      f.objects.length ? h("table", {class: "vars"}, h("tbody", {}, vars.map(v => v.row))) : h("p", {class: "none"}, "None was used."))),
  h("p", {class: "about"}, f.summary, ". Replay: ", h("code", {}, f.replay)));

// sentence tells a step.
function sentence(s) {
  return [
    s.why ? who(s.from) + " " + s.why + ". " : "",
    h("b", {}, who(s.t)), ...(s.note ? [" " + s.s] : [": ", h("code", {}, s.s), s.e ? " " + s.e : ""]),
    s.p ? h("span", {class: "when"}, `  ${s.p}${s.f ? " in " + s.f : ""}`) : "",
    at === last ? h("div", {class: "kind"}, f.kind + ": " + f.message.join("; ")) : "",
  ];
}

// show goes to step n: after n lines of the schedule.
function show(n) {
  at = Math.min(Math.max(n, 0), last);
  const s = f.steps[at - 1];
  when.textContent = `Line ${at} of ${last}` + (s && s.n ? `, step ${s.n}` : "");
  text.replaceChildren(...(s ? sentence(s) : ["Before the first step. ", h("b", {}, "→"), " goes on."]));
  rows.forEach((r, i) => {
    r.className = "is" + (i >= at ? " later" : "") + (i === at - 1 ? " at" : "") + (f.steps[i].w ? " w" : "") + (f.steps[i].h ? " here" : "");
  });
  heads.forEach((e, t) => e.classList.toggle("acts", !!s && s.t === t));
  const now = f.objects.map(o => o.value), seen = new Set();
  for (const d of f.steps.slice(0, at)) if (d.o >= 0) { now[d.o] = d.v; seen.add(d.o); }
  vars.forEach((v, i) => {
    v.value.textContent = now[i];
    v.row.className = s && s.o === i ? (s.w ? "changed" : "looked") : seen.has(i) ? "" : "unseen";
  });
  for (const [b, off] of [[buttons.first, at === 0], [buttons.back, at === 0], [buttons.step, at === last], [buttons.turn, at === last], [buttons.last, at === last]])
    b.setAttribute("aria-disabled", off);
  scrub.value = at;
  const row = rows[at - 1];
  if (row) {
    const r = row.getBoundingClientRect(), top = root.querySelector(".head").getBoundingClientRect().bottom;
    if (r.top < top) scrollBy(0, r.top - top - 40);
    else if (r.bottom > innerHeight) scrollBy(0, r.bottom - innerHeight + 40);
  }
  history.replaceState(null, "", "#" + at);
}

addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target === scrub) return;
  const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last, s: nextSwitch()}[e.key];
  if (to === undefined) return;
  e.preventDefault();
  show(to);
});
addEventListener("hashchange", () => show(+location.hash.slice(1) || 0));
show(+location.hash.slice(1) || 0);
})();
