// Draws the timelines of a page. A timeline is a section .tl whose JSON holds
// the steps of a run, folded by package timeline; a section .tl-compare holds
// several, of which two are shown in true time, on one axis. This script keeps no
// state but the step or moment shown and the G followed; what is shown is computed
// from the first step on.
(() => {
"use strict";

// words are the texts that are shown, but for the sentences of the steps; phrase puts values
// where one has %.
const words = window.goschedWords;
const phrase = (text, ...values) => text.replace(/%/g, () => values.shift());

const IDLE = 1, SCHEDULING = 2, SEARCHING = 3, CALLING = 5, POLLING = 7;

const RESTS = {[IDLE]: "z", [POLLING]: "n"}; // how a lane shows them

const name = g => g === 1 ? "main" : "G" + g;
const tint = g => g === 1 ? "cm" : "c" + (g - 2) % 7 + (g > 8 ? " again" : "");
const num = n => n.toLocaleString("en");

// h makes an HTML element, s an SVG one. Strings become text, never markup.
const make = ns => (tag, attrs, ...kids) => {
  const e = document.createElementNS(ns, tag);
  for (const k in attrs) {
    if (k.startsWith("on")) e.addEventListener(k.slice(2), attrs[k]);
    else if (attrs[k] !== undefined && attrs[k] !== false) e.setAttribute(k, attrs[k]);
  }
  e.append(...kids.flat().filter(k => k !== null && k !== undefined));
  return e;
};
const h = make("http://www.w3.org/1999/xhtml"), s = make("http://www.w3.org/2000/svg");

// clock writes a time of the log in its unit.
function clock(run, t) {
  if (run.unit === "instructions") return num(t);
  let ns = run.unit === "ps" ? t / 1000 : t;
  for (const unit of ["ns", "µs", "ms"]) {
    if (ns < 1000) return num(Math.round(ns * 10) / 10) + " " + unit;
    ns /= 1000;
  }
  return num(Math.round(ns * 100) / 100) + " s";
}

// read returns the data of a timeline, with the bars named and the longest
// queue that its rows must have room for.
function read(json) {
  const run = JSON.parse(json.textContent);
  run.bars = run.bars.map(([row, doing, g, from, to, t0, t1, end]) => ({row, doing, g, from, to, t0, t1, end}));
  run.away = run.away || [];
  run.longest = run.letter === "M" ? Math.max(0, ...run.steps.map(d => d.g ? d.g[0] : 0))
    : Math.max(0, ...run.steps.flatMap(d => [...Object.values(d.p || {}).map(p => p[4]), ...(d.x || []).map(x => x[2])]));
  return run;
}

// stepAt returns the number of the last step up to time t, 0 before the first.
function stepAt(run, t) {
  const i = run.steps.findIndex(d => d.t > t);
  return i < 0 ? run.steps.length : i;
}

// stateAt returns the state after step n.
function stateAt(run, n) {
  const st = {rows: [], waits: [], global: [0], asleep: [0], polling: [0], count: [0, 0], line: new Map(), out: []};
  for (const d of run.steps.slice(0, n)) {
    Object.assign(st.rows, d.p);
    Object.assign(st.waits, d.w);
    st.global = d.g || st.global;
    st.asleep = d.z || st.asleep;
    st.polling = d.n || st.polling;
    st.count = d.c || st.count;
    for (const [g, line] of d.l || []) line ? st.line.set(g, line) : st.line.delete(g);
    st.out.push(...d.o || []);
  }
  return st;
}

// ---- the picture of the run so far ----

const PAD = 10, TOP = 30, BAR = 24, SHORT = 240; // the last is the least length of an axis in true time
const PAPER = 640; // the width of a picture in print

// SIGNS are drawn around 0,0: parks, ends, back without a P; and those that stand above a bar:
// preempted, asked to stop, preempted by a signal, hit by one, hands off, retakes, grows.
const sign = (look, d) => () => s("path", {class: "mark " + look, d});
const TIP = "M-5-3H5L0 4Z", BOLT = "M2-7-5 1H-1L-2 7 5-1H1Z";
const SIGNS = {
  o: () => s("circle", {class: "mark o", r: 4.5}), x: sign("", "M-4-4 4 4M4-4-4 4"), n: sign("", "M0-7V7M-5-7V7"),
};
const ABOVE = {v: sign("solid", TIP), a: sign("hollow", TIP), s: sign("solid", BOLT), i: sign("hollow", BOLT),
  h: sign("", "M-6 0H6M2-4 6 0 2 4"), r: sign("", "M0 5V-5M-4-1 0-5 4-1"), g: sign("", "M-5 1H5V6H-5ZM0-1V-7M-4-3 0-7 4-3")};
const mark = what => SIGNS[what] ? SIGNS[what]()
  : s("g", {}, "vas".includes(what) ? sign("", "M0 14V-11")() : null, s("g", {transform: "translate(0 -16)"}, ABOVE[what]()));
const marked = (run, what) => run.steps.some(d => (d.k || []).some(k => k[0] === what));

// column is the width of a step: a label and the mark before it fit.
const column = run => Math.max(46, 22 + 8 * Math.min(String(run.maxg).length, 8));
const rowsOf = run => run.rows + run.away.length; // those of the Ps, and of the Ms without one
const pitchOf = run => rowsOf(run) > 8 ? 34 : 42;
const rowNames = run => [...Array.from({length: run.rows}, (_, i) => run.letter + i), ...run.away.map(m => "M" + m)];

// during returns run with the rows of those Ms alone that have no P in some of the steps from..to-1.
function during(run, from, to) {
  const bars = run.bars.filter(b => b.from < to && b.to > from), away = run.away.map((_, i) => run.rows + i).filter(r => bars.some(b => b.row === r));
  return {...run, away: away.map(r => run.away[r - run.rows]), bars: run.bars.filter(b => b.row < run.rows || away.includes(b.row))
    .map(b => b.row < run.rows ? b : {...b, row: run.rows + away.indexOf(b.row)})};
}

// lanes draws the steps from..to-1 of a run: one column each, or in true time
// over the given width; with an axis, which is [first, last] time, just over that
// width. It returns the picture and what moves it.
function lanes(run, from, to, time, width, axis) {
  const pitch = pitchOf(run), n = run.steps.length, rows = rowsOf(run);
  const cw = column(run);
  const [t0, t1] = axis || [run.steps[0].t, run.steps[n - 1].t];
  const k = Math.max(width - 3 * PAD, axis ? SHORT : Math.min((to - from) * cw, 3e4)) / Math.max(1, t1 - t0);
  const x = (step, t) => PAD + (time ? (Math.max(t, t0) - t0) * k : (Math.min(Math.max(step, from), to) - from) * cw);
  const y = row => TOP + pitch * row + pitch / 2;
  const bottom = TOP + pitch * rows, end = x(to, t1);
  const svg = s("svg", {width: end + 2 * PAD, height: bottom + 6, role: "img", "aria-label": phrase(words.picture, run.letter)});

  if (time) {
    let gap = 10 ** Math.floor(Math.log10(Math.max(1, 80 / k)));
    gap *= [1, 2, 5, 10].find(m => gap * m * k >= 80) || 10;
    for (let t = Math.ceil(t0 / gap) * gap; t <= t1; t += gap)
      svg.append(s("path", {class: "grid", d: `M${x(0, t)} 24V${bottom}`}), s("text", {class: "tick", x: x(0, t), y: 18}, clock(run, t)));
  } else {
    for (let i = Math.ceil(from / 5) * 5; i < to; i += 5) svg.append(s("text", {class: "tick", x: x(i) + cw / 2, y: 18}, num(i)));
  }
  for (let r = 0; r < rows; r++) svg.append(s("path", {class: "grid", d: `M${PAD} ${y(r)}H${axis ? x(to, run.steps[n - 1].t) : end}`}));
  if (run.away.length) svg.append(s("path", {class: "border", d: `M0 ${y(run.rows) - pitch / 2}H${end + 2 * PAD}`}));
  if (axis) svg.append(s("path", {class: "over", d: `M${x(to, run.steps[n - 1].t)} ${TOP}V${bottom}`}));

  const band = s("rect", {class: "band", y: 23, height: bottom - 23, width: time ? 0 : cw}), moving = [];
  svg.append(band);
  for (const b of run.bars) {
    if (b.to <= from || b.from >= to) continue;
    const x0 = x(b.from, b.t0), x1 = Math.max(x(b.to, b.t1), x0 + 2), w = x1 - x0 - 1, mid = y(b.row), top = mid - BAR / 2;
    if (b.doing === IDLE || b.doing === POLLING) {
      if (w >= 18) svg.append(s("text", {class: "zz", x: x0 + 9, y: mid - 3}, RESTS[b.doing]));
      continue;
    }
    if (b.doing === SEARCHING) {
      svg.append(s("path", {class: "search", d: `M${x0 + 3} ${mid}H${x1 - 3}`}));
      continue;
    }
    const long = 13 + 7 * name(b.g).length, label = w > long ? s("text", {x: x0 + 8, y: mid + 4}, name(b.g)) : null;
    const past = s("rect", {class: "past", x: x0, y: top, width: w, height: BAR, rx: 3});
    const node = s("g", {class: tint(b.g) + (b.doing === CALLING ? " call" : ""), "data-g": b.g},
      s("title", {}, b.doing === CALLING ? phrase(words.inSyscall, name(b.g)) : name(b.g)),
      s("rect", {class: "later", x: x0, y: top, width: w, height: BAR, rx: 3}), past,
      b.g > 8 && w > 12 ? [s("path", {class: "ear", d: `M${x1 - 8} ${top}h8v8z`}), s("path", {class: "flap", d: `M${x1 - 8} ${top}v8h8z`})] : null,
      label);
    const hang = b.end && b.to < to && (!axis || w > 12) ? s("g", {class: "at", transform: `translate(${x1} ${mid})`}, mark(b.end)) : null;
    moving.push({b, x0, x1, past, node, label, long, hang});
    svg.append(node);
  }
  for (const m of moving) if (m.hang) svg.append(m.hang); // above all bars

  // What belongs to a step and not to the end of a bar, and the ways of Gs between the rows of
  // the Ps and those of the Ms without one.
  const steps = [];
  const add = (i, node) => { steps.push({i, node}); svg.append(node); };
  for (const b of run.bars) if (b.row >= run.rows) for (const i of [b.from, b.to]) {
    const p = run.bars.find(p => p.g === b.g && p.row < run.rows && (i === b.from ? p.to : p.from) === i);
    if (p && i >= from && i < to) add(i, s("path", {class: "way", d: `M${x(i, i === b.from ? b.t0 : b.t1)} ${y(p.row) + BAR / 2}V${y(b.row) - BAR / 2}`}));
  }
  for (let i = from; i < to; i++) for (const [what, row] of run.steps[i - 1].k || []) {
    if (!"ahrgi".includes(what) || row < 0 || what === "i" && run.bars.some(b => b.end === "s" && b.row === row && b.to === i)) continue;
    add(i, s("g", {class: "at", transform: `translate(${x(i, run.steps[i - 1].t)} ${y(row)})`}, mark(what)));
  }

  for (let i = from; i < to; i++) for (const [thief, victim, , ...gs] of run.steps[i - 1].x || []) {
    const at = x(i, run.steps[i - 1].t) + (time ? 0 : 8), d = thief > victim ? 1 : -1, a = y(victim) + d * BAR / 2, z = y(thief) - d * BAR / 2;
    const node = s("g", {class: "steal"}, s("path", {d: `M${at} ${a}V${z - d * 6}`}), s("circle", {class: "tip", cx: at, cy: a, r: 3}),
      s("path", {class: "tip", d: `M${at} ${z}l-5 ${-d * 8}h10z`}), s("text", {x: at - 6, y: a + d * (pitch - BAR) / 2 + 4}, gs.length));
    add(i, node);
  }
  const trail = s("path", {class: "trail"}), pill = s("text", {y: 17});
  const plate = s("rect", {class: "pill", y: 3, height: 20, rx: 4}), stem = s("line", {y1: 23, y2: bottom});
  svg.append(trail, s("g", {class: "cursor"}, time ? stem : null, plate, pill));

  return {
    svg,
    timeAt: px => t0 + (px - PAD) / k,
    stepAt(px) { // the step that a click at px means
      return time ? Math.max(1, stepAt(run, this.timeAt(px))) : from + Math.floor((px - PAD) / cw);
    },
    show(step, t) { // of true time, up to t
      const edge = x(step + 1, t);
      for (const m of moving) {
        const w = m.b.from <= step ? Math.max(time ? 2 : 0, Math.min(m.x1, edge) - m.x0 - 1) : 0;
        if (w !== m.w) m.past.setAttribute("width", m.w = w);
        m.node.classList.toggle("on", m.b.from <= step && (!time || w > m.long)); // its label is on the past
        if (m.hang) m.hang.classList.toggle("on", m.b.to <= step);
      }
      for (const a of steps) a.node.classList.toggle("on", a.i <= step);
      const left = x(step, t), mid = time ? left : left + cw / 2, label = axis ? clock(run, t) : num(step), w = Math.max(time ? 0 : cw, 12 + (axis ? 7 : 8) * label.length);
      band.setAttribute("x", left);
      stem.setAttribute("x1", mid); stem.setAttribute("x2", mid);
      const at = axis ? Math.max(w / 2, Math.min(mid, end + 2 * PAD - w / 2)) : mid; // in sight
      plate.setAttribute("x", at - w / 2); plate.setAttribute("width", w);
      pill.setAttribute("x", at);
      pill.textContent = label;
      return mid;
    },
    // pin keeps the labels of bars that begin left of px in sight.
    pin(px) {
      for (const m of moving) {
        const at = Math.max(m.x0, Math.min(px, m.x1 - m.long)) + 8;
        if (m.label && at !== m.at) m.label.setAttribute("x", m.at = at);
      }
    },
    follow(g) {
      let d = "", last = null;
      for (const m of moving) m.node.classList.toggle("dim", g !== 0 && m.b.g !== g);
      for (const m of moving.filter(m => m.b.g === g).sort((a, b) => a.b.from - b.b.from)) {
        if (last) d += `M${last.x1} ${y(last.b.row)}L${m.x0} ${y(m.b.row)}`;
        last = m;
      }
      trail.setAttribute("d", d);
    },
  };
}

// legend explains the marks that the runs have.
function legend(runs, printed) {
  const bars = runs.flatMap(r => r.bars), has = end => bars.some(b => b.end === end);
  const idle = letter => runs.some(r => r.letter === letter && r.bars.some(b => b.doing === IDLE));
  const icon = e => s("svg", {viewBox: "-8 -8 16 16", "aria-hidden": "true"}, e);
  const entry = (what, text) => h("span", {}, icon((SIGNS[what] || ABOVE[what])()), text);
  const ended = (what, text) => has(what) ? entry(what, text) : null, stepped = (what, text) => runs.some(r => marked(r, what)) ? entry(what, text) : null;
  return h("div", {class: "tl-legend"},
    ended("o", words.parks), ended("x", words.ends), stepped("a", words.asked), ended("v", words.preempted), ended("s", words.preemptedBySignal),
    runs.some(r => r.steps.some((d, i) => (d.k || []).some(k => k[0] === "i") && !r.bars.some(b => b.end === "s" && b.to === i + 1))) ? entry("i", words.hit) : null,
    bars.some(b => b.doing === CALLING) ? h("span", {}, icon(s("g", {class: "c1 call"}, s("rect", {class: "past", x: -7, y: -6, width: 14, height: 12, rx: 2}))), words.calls) : null,
    stepped("h", words.handsOff), stepped("r", words.retakes),
    runs.some(r => r.away.length) ? h("span", {}, h("b", {}, "M"), words.away) : null,
    ended("n", words.backWithoutP), stepped("g", words.grows),
    runs.some(r => r.steps.some(d => d.x)) ? h("span", {}, icon(s("g", {class: "steal"}, s("path", {d: "M0-7V1"}), s("path", {class: "tip", d: "M0 8-5 0H5z"}))), words.steal) : null,
    bars.some(b => b.doing === SEARCHING) ? h("span", {}, icon(s("path", {class: "search", d: "M-6 0H7"})), words.looks) : null,
    idle("P") || idle("M") ? h("span", {}, h("em", {}, RESTS[IDLE]), [idle("P") && words.idle, idle("M") && words.asleep].filter(Boolean).join(", ")) : null,
    bars.some(b => b.doing === POLLING) ? h("span", {}, h("em", {}, RESTS[POLLING]), words.polls) : null,
    printed ? null : [h("span", {}, words.faded), h("span", {}, words.click)]);
}

// listing shows a program; it returns its element and those of the lines.
function listing(source) {
  const lines = source.replace(/\n$/, "").split("\n").map((code, i) => h("div", {class: "tl-line"}, h("i", {}, i + 1), h("code", {}, code || " "), h("span", {class: "tl-who"})));
  return [h("div", {class: "tl-code tl-src", tabindex: 0, role: "group", "aria-label": words.program}, lines), lines];
}

// ---- one timeline ----

// view builds the parts of a timeline, without controls. go moves to a step and
// pick follows a G; both are for what the reader clicks. With an axis the run is one of
// a pair: it is drawn in true time, go moves to a time, and there is no program, output
// or list of the steps.
function view(root, run, key, go, pick, axis) {
  const n = run.steps.length;
  let step = -1, moment = 0, followed = 0, picture = null, time = !!axis, width = 0;
  root.style.setProperty("--gw", Math.max(40, 20 + 8 * Math.min(String(run.maxg).length, 8)) + "px");

  const when = h("p", {class: "tl-when"}), text = h("p", {class: "tl-text"});
  const say = h("div", {class: "tl-say", "aria-live": "polite", "aria-atomic": "true"}, when, text);
  const head = h("div", {class: "tl-head"}, say);
  const now = h("div", {class: "tl-now" + (run.letter === "M" ? " queueless" : run.next ? "" : " nextless")});
  const scroll = h("div", {class: "tl-scroll", role: "group", "aria-label": "So far"});
  const far = h("div", {class: "tl-far", style: `--pitch:${pitchOf(run)}px`}, h("div", {class: "tl-lanes"},
    h("div", {class: "tl-names"}, rowNames(run).map((row, i) => h("div", {class: i < run.rows ? "" : "away"}, row))), scroll), axis ? null : legend([run]));
  const trueTime = h("input", {type: "checkbox", onchange: () => { time = trueTime.checked; draw(); }});
  const list = h("ol"), all = h("details", {class: "tl-all", ontoggle: () => { fillList(); show(step); }}, h("summary", {}, words.allSteps), list);
  const [src, lines] = run.source && !axis ? listing(run.source) : [];
  const written = run.steps.flatMap(d => d.o || []).map(o => o[1]).join("");
  const out = written && !axis ? h("pre", {class: "tl-code tl-out", tabindex: 0, role: "group", "aria-label": words.outputSoFar}) : null;
  if (out) out.style.height = 1.55 * Math.min(10, written.replace(/\n$/, "").split("\n").length) + 1.2 + "em";
  const paper = h("div", {class: "tl-print"});
  root.append(h("div", {class: "tl-body" + (src ? " sided" : "")},
    h("div", {class: "tl-main"}, head, h("p", {class: "tl-h tl-nowh"}, words.now), now,
      axis ? null : [h("div", {class: "tl-h tl-farh"}, words.soFar, h("label", {}, trueTime, words.trueTime)), far, all]),
    src || out ? h("div", {class: "tl-side"}, src && [h("p", {class: "tl-h"}, words.program), src], out && [h("p", {class: "tl-h tl-outh"}, words.output), out]) : null), paper);

  const chip = (g, extra = "") => h("button", {type: "button", class: `tl-g ${tint(g)} ${extra}${followed && followed !== g ? " dim" : ""}${followed === g ? " me" : ""}`,
    "data-g": g, "aria-pressed": String(followed === g), title: phrase(words.follow, name(g)), onclick: () => pick(g)}, h("span", {}, name(g)));

  // callerOf is the M on which g is in a system call without a P, "" if it is not.
  function callerOf(g) {
    const b = run.bars.find(b => b.row >= run.rows && b.g === g && b.from <= step && step < b.to);
    return b ? "M" + run.away[b.row - run.rows] : "";
  }

  // queue fills a cell with the Gs of [length, ...first], as many as fit; ghosts
  // go before them and empty slots behind, up to slots.
  function queue(cell, [len, ...gs], slots = 0, ghosts = []) {
    const ms = gs.some(callerOf); // then each G has its M next to it
    const gw = parseFloat(root.style.getPropertyValue("--gw")) + (ms ? 40 : 4), fit = Math.max(2, Math.floor((cell.clientWidth + 4) / gw));
    const room = len + ghosts.length > fit ? fit - 1 : fit;
    const kids = [...ghosts.map(g => h("span", {class: "tl-ghost"}, name(g))), ...gs.map(g => ms ? h("span", {class: "tl-caller"}, chip(g, "call"), callerOf(g)) : chip(g))].slice(0, room);
    const more = len + ghosts.length - kids.length;
    if (more > 0) kids.push(h("span", {class: "tl-more"}, "+" + num(more)));
    else while (kids.length < Math.min(slots, fit)) kids.push(h("span", {class: "tl-slot"}));
    cell.replaceChildren(...kids.length ? kids : [h("span", {class: "tl-none"}, words.none)]);
  }

  // What a row holds if no G runs there.
  const [absent, resting] = run.letter === "P" ? [words.notThere, words.idle] : [words.notMade, words.asleep];
  const doing = (d, m) => ({0: absent, [IDLE]: resting, [SCHEDULING]: m < 0 && run.letter === "P" ? words.idle : words.schedules, [SEARCHING]: words.looks, [POLLING]: words.polls}[d] ?? words.stopped);

  function showNow(st, d) {
    const focus = now.contains(document.activeElement) && document.activeElement.dataset.g;
    const slots = Math.min(Math.max(4, run.longest), run.ring || Infinity), fill = [];
    const byP = run.letter === "P", rows = [];
    now.replaceChildren(h("div", {class: "tl-cap", "aria-hidden": "true"}, h("span", {}, run.letter), h("span", {}, words.runs),
      byP && run.next ? h("span", {}, "runnext") : null, byP ? h("span", {class: "tl-q ring"}, words.runQueue) : null));
    for (let i = 0; i < run.rows; i++) {
      const [what, g, m, next, ...q] = st.rows[i] || [0, 0, -1, 0, 0];
      const steal = (d.x || []).find(x => x[0] === i), ghosts = (d.x || []).filter(x => x[1] === i).flatMap(x => x.slice(3));
      const cell = byP ? h("span", {class: "tl-q ring"}) : null;
      const row = h("div", {class: "tl-row" + (d.r === i ? " acts" : "") + (byP ? "" : " bare")},
        h("b", {}, run.letter + i, byP && m >= 0 ? h("small", {}, "M" + m) : null),
        g ? h("span", {}, chip(g, "wide" + (what === CALLING ? " call" : ""))) : h("span", {class: "tl-doing"}, doing(what, m)),
        byP && run.next ? h("span", {class: "tl-q"}, next ? chip(next) : h("span", {class: "tl-slot"})) : null, cell,
        byP ? h("span", {class: "tl-note tl-doing"}, steal ? phrase(words.steals, steal.length - 3, steal[2]) : "") : null);
      if (what === CALLING) row.children[1].title = phrase(words.inSyscall, name(g));
      if (cell) fill.push(() => queue(cell, q, slots, ghosts));
      rows.push(row);
      now.append(row);
    }
    const facts = h("div", {class: "tl-facts"});
    const fact = (label, list, slots) => {
      const cell = h("span", {class: "tl-q"});
      facts.append(h("div", {class: "tl-fact"}, h("span", {}, label), cell));
      fill.push(() => queue(cell, list, slots));
    };
    fact(byP ? words.globalQueue : words.runQueue, st.global, byP ? 0 : slots);
    (run.waits || []).forEach((why, i) => fact(why, st.waits[i] || [0]));
    const line = (label, text) => facts.append(h("div", {class: "tl-fact"}, h("span", {}, label), h("span", {}, text)));
    const ms = (label, [len, ...list]) => line(label, list.slice(0, 8).map(m => "M" + m).join(", ") + (len > 8 ? " " + phrase(words.andMore, num(len - 8)) : "") || words.none);
    if (byP && run.steps.some(d => d.z)) ms(words.msAsleep, st.asleep);
    if (byP && run.steps.some(d => d.n)) ms(words.msPolling, st.polling);
    line(words.gs, phrase(words.counts, num(st.count[0]), num(st.count[1])));
    now.append(facts);
    fill.forEach(f => f());
    for (const x of d.x || []) arrow(rows[x[1]], rows[x[0]]);
    if (focus) (now.querySelector(`[data-g="${focus}"]`) || root).focus();
  }

  // arrow leads from the ghosts in the victim's row to what the thief runs.
  function arrow(victim, thief) {
    const ghosts = victim && [...victim.querySelectorAll(".tl-ghost")];
    if (!ghosts || !ghosts.length || !thief) return;
    const o = now.getBoundingClientRect(), at = e => { const r = e.getBoundingClientRect(); return {l: r.left - o.left, r: r.right - o.left, t: r.top - o.top, b: r.bottom - o.top}; };
    const g = at(ghosts[0]), v = at(victim), z = at(thief), end = at(thief.children[1].firstElementChild || thief.children[1]);
    const down = z.t > v.t, x = (g.l + g.r) / 2, gutter = end.r + 15, y = (end.t + end.b) / 2, gap = down ? v.b + 1 : v.t - 1;
    now.append(s("svg", {class: "tl-arrow", "aria-hidden": "true"},
      s("path", {d: `M${x} ${down ? g.b : g.t}V${gap}H${gutter}V${y}H${end.r + 8}`, "stroke-linejoin": "round"}),
      s("path", {class: "tip", d: `M${end.r + 1} ${y}l9-5.5v11z`})));
  }

  function showSource(st, d) {
    if (!src) return;
    const at = new Map(), runs = new Set(st.rows.filter(r => r && r[1]).map(r => r[1]));
    const actor = st.rows[d.r] && st.rows[d.r][1] || [...runs][0];
    for (const [g, line] of st.line) at.set(line, [...at.get(line) || [], g]);
    lines.forEach((e, i) => {
      const gs = (at.get(i + 1) || []).sort((a, b) => runs.has(b) - runs.has(a) || a - b), here = gs.includes(actor);
      e.classList.toggle("here", here);
      e.lastChild.replaceChildren(...gs.slice(0, 4).map(g => h("span", {class: runs.has(g) ? tint(g) + " runs" : "", title: phrase(runs.has(g) ? words.runsHere : words.goesOnHere, name(g))}, name(g))),
        ...gs.length > 4 ? [h("span", {}, "+" + num(gs.length - 4))] : []);
      if (here && (e.offsetTop < src.scrollTop + 20 || e.offsetTop + 40 > src.scrollTop + src.clientHeight)) src.scrollTop = e.offsetTop - src.clientHeight / 2;
    });
  }

  function showOutput(st) {
    if (!out) return;
    out.replaceChildren(...st.out.map(([fd, t]) => h("span", {class: fd === 2 ? "err" : ""}, t)));
    out.scrollTop = out.scrollHeight;
    reach(out);
  }

  function fillList() {
    if (all.open && !list.firstChild) list.append(...run.steps.map((d, i) => h("li", {}, h("a", {href: `#${key}=${i + 1}`}, d.s))));
  }

  function draw(room = scroll.clientWidth) {
    picture = lanes(run, 1, n + 1, time, room, axis);
    picture.svg.addEventListener("click", e => {
      const bar = e.target.closest("[data-g]"), px = e.clientX - picture.svg.getBoundingClientRect().left;
      if (bar) pick(+bar.dataset.g);
      else go(axis ? picture.timeAt(px) : picture.stepAt(px));
    });
    scroll.replaceChildren(picture.svg);
    scroll.onscroll = () => picture.pin(scroll.scrollLeft);
    reach(scroll);
    picture.follow(followed);
    if (step >= 0) again();
  }

  // reserve gives the narration the room of its longest sentence.
  function reserve() {
    const probe = h("div", {class: "tl-say", style: `position:absolute;visibility:hidden;width:${say.offsetWidth}px`, "aria-hidden": "true"}, h("p", {class: "tl-when"}, words.step), h("p", {class: "tl-text"}));
    head.append(probe);
    let most = 0;
    for (const d of [...run.steps].sort((a, b) => b.s.length - a.s.length).slice(0, 8)) {
      probe.lastChild.textContent = d.s;
      most = Math.max(most, probe.offsetHeight);
    }
    probe.remove();
    say.style.height = most + "px";
  }

  // show shows step i, 0 for none; in a pair, as it is at time t.
  function show(i, t) {
    const fresh = i !== step || !axis;
    step = i;
    const d = run.steps[step - 1] || {t: 0, s: words.notBegun, r: -1}, st = stateAt(run, step);
    moment = t === undefined ? d.t : t;
    when.replaceChildren(h("b", {}, phrase(n < run.total ? words.positionShown : words.position, num(step), num(n))), " · " + phrase(words.time, clock(run, d.t)));
    root.classList.toggle("tl-since", !!axis && d.t < moment);
    if (fresh) { // else a screen reader would say it again
      text.textContent = d.s;
      say.scrollTop = 0;
      showNow(st, d);
    }
    showSource(st, d);
    showOutput(st);
    const x = picture.show(step, moment), w = scroll.clientWidth;
    if (x < scroll.scrollLeft + 40 || x > scroll.scrollLeft + w - 60) scroll.scrollLeft = x - w / 3;
    picture.pin(scroll.scrollLeft);
    for (const li of list.querySelectorAll("[aria-current]")) li.removeAttribute("aria-current");
    if (list.children[step - 1]) list.children[step - 1].setAttribute("aria-current", "step");
  }

  // reach makes e a stop of the Tab key while it scrolls.
  function reach(e) {
    if (e) e.tabIndex = e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1 ? 0 : -1;
  }

  // again shows the same step anew.
  function again() {
    const i = step;
    step = -1;
    show(i, moment);
  }

  function fit() {
    const now = (axis ? far : root).clientWidth;
    if (picture && now === width) return;
    width = now;
    reserve();
    draw();
    reach(src);
  }
  fit();
  new ResizeObserver(fit).observe(root);

  if (axis) {
    addEventListener("beforeprint", () => {
      if (!root.isConnected) return; // the reader has chosen another run
      draw(PAPER);
      picture.show(n, axis[1]);
      picture.svg.querySelector(".cursor").remove();
    });
    addEventListener("afterprint", () => root.isConnected && draw());
  } else addEventListener("beforeprint", () => {
    if (out) paper.append(h("p", {class: "tl-h"}, words.output), h("pre", {class: "tl-code tl-out"}, written));
    const chunk = Math.floor(PAPER / column(run));
    for (let a = 1; a <= n; a += chunk) {
      const part = during(run, a, Math.min(n + 1, a + chunk)), p = lanes(part, a, Math.min(n + 1, a + chunk), false, PAPER);
      p.show(n, run.steps[n - 1].t);
      p.svg.querySelectorAll(".cursor, .band").forEach(e => e.remove());
      rowNames(part).forEach((row, r) => p.svg.append(s("text", {x: -22, y: TOP + pitchOf(part) * (r + .5) + 4}, row)));
      p.svg.setAttribute("viewBox", `-26 0 ${+p.svg.getAttribute("width") + 26} ${p.svg.getAttribute("height")}`);
      p.svg.setAttribute("width", +p.svg.getAttribute("width") + 26);
      paper.append(p.svg);
    }
    paper.append(legend([run], true), h("ol", {}, run.steps.map(d => h("li", {}, d.s))));
  });
  addEventListener("afterprint", () => paper.replaceChildren());

  const tagged = tag => run.steps.flatMap((d, i) => (tag === "s" ? d.x : (d.k || []).some(k => k[0] === tag)) ? i + 1 : []);
  return {
    run, n, head, far, scroll, show, fit,
    jumps: {findSteal: tagged("s"), findPark: tagged("p"), findRequest: tagged("a"), findSignal: tagged("i"), findPreemption: tagged("x"),
      findCall: tagged("c"), findHandoff: tagged("h"), findRetake: tagged("r"), findGrowth: tagged("g")},
    changes: g => run.bars.filter(b => b.g === g).flatMap(b => [b.from, b.to]),
    follow(g) { followed = g; picture.follow(g); again(); },
  };
}

// ---- controls, keys and the page's address ----

// The address holds the step of each timeline: #s=8, or #left=8&ring=3. Of a comparison
// it also holds what is chosen: #s=8&s-program=2&s-left=0.
function addresses() {
  return new Map(location.hash.slice(1).split("&").map(p => p.split("=")).filter(p => p.length === 2 && /^\d+$/.test(p[1])));
}
let later = 0;
const changed = new Map();
function remember(key, value) {
  changed.set(key, value);
  clearTimeout(later); // browsers refuse a page that sets its address too often
  later = setTimeout(() => {
    const all = new Map([...addresses(), ...changed]);
    changed.clear();
    try { history.replaceState(null, "", "#" + [...all].map(p => p.join("=")).join("&")); } catch { /* a page without an address */ }
  }, 150);
}

const ICONS = {first: "M2 2h2v10H2zM12 2v10L5 7z", back: "M10 2v10L3 7z", step: "M4 2v10l7-5z", last: "M10 2h2v10h-2zM2 2v10l7-5z"};

// steer makes the controls of the views in root, which stand at one of n positions, from
// 1: show goes to one, label says it, jumps are the positions of each kind of step, by the
// word for its button, and changes those of a G. The page's address has the position under key.
function steer(root, views, key, {n, label, show, jumps, changes}) {
  let at = 0, followed = 0;
  const button = (what, label, act, ...kids) => h("button", {type: "button", class: "tl-" + what, title: label, "aria-label": label, onclick: act},
    ...kids, s("svg", {viewBox: "0 0 14 14", "aria-hidden": "true"}, s("path", {d: ICONS[what]})));
  const first = button("first", words.first, () => go(1)), back = button("back", words.back, () => go(at - 1));
  const next = button("step", words.next, () => go(at + 1), words.step), last = button("last", words.last, () => go(n));
  const scrub = h("input", {type: "range", min: 1, max: n, value: 1, "aria-label": words.step, oninput: () => go(+scrub.value)});
  const jump = (label, steps, whole) => {
    const b = h("button", {type: "button", "aria-label": whole, title: whole, onclick: () => { const to = steps().find(i => i > at); if (to) go(to); }}, label);
    b.update = () => disable(b, !steps().some(i => i > at));
    return b;
  };
  const leaps = Object.keys(jumps).filter(kind => jumps[kind].length).map(kind => jump(words[kind], () => jumps[kind], phrase(words.findNext, words[kind])));
  const nextOf = jump("", () => changes(followed).sort((a, b) => a - b).filter(i => i <= n));
  const stop = h("button", {type: "button", onclick: () => pick(followed)}, words.followAll);
  const bar = h("div", {class: "tl-bar", role: "group", "aria-label": words.controls}, first, back, next, last, scrub,
    leaps.length ? h("span", {class: "tl-find"}, h("span", {"aria-hidden": "true"}, words.find), leaps) : null, nextOf, stop);

  function disable(b, yes) { b.setAttribute("aria-disabled", yes); }
  function controls() {
    disable(first, at === 1); disable(back, at === 1); disable(next, at === n); disable(last, at === n);
    scrub.value = at;
    scrub.setAttribute("aria-valuetext", label(at));
    nextOf.hidden = stop.hidden = !followed;
    nextOf.textContent = phrase(words.nextOf, name(followed));
    [...leaps, nextOf].forEach(b => b.update());
  }
  function pick(g) {
    followed = g === followed ? 0 : g;
    views.forEach(v => v.follow(followed));
    controls();
  }
  function go(i, quiet) {
    i = Math.max(1, Math.min(n, i));
    if (i === at) return;
    at = i;
    show(i);
    controls();
    if (!quiet) remember(key, i);
  }
  const keys = {ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(1), End: () => go(n), Escape: () => followed && pick(followed)};
  const press = e => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || !keys[e.key] || e.target.matches("select") || e.target.type === "range" && e.key !== "Escape") return;
    keys[e.key]();
    e.preventDefault();
  };
  return {bar, go, pick, press, at: () => at, fromAddress(quiet) { const i = +addresses().get(key); if (i) go(i, quiet); return i; }};
}

// takeKeys brings the keys to a timeline: when a click has given it the focus, and on a
// page of its own always.
function takeKeys(root, press) {
  root.tabIndex = -1;
  root.addEventListener("keydown", e => press()(e));
  if (document.body.classList.contains("tl-page") && root === document.querySelector(".tl-compare, .tl"))
    document.addEventListener("keydown", e => { if (e.target === document.body) press()(e); });
}

function mount(root) {
  if (root.dataset.ready) return;
  root.dataset.ready = "yes";
  if (root.classList.contains("tl-compare")) return compare(root);
  const json = root.querySelector("script");
  if (!json) return; // a log without events
  const run = read(json), key = root.dataset.key;
  const v = view(root, run, key, i => drive.go(i), g => drive.pick(g));
  const drive = steer(root, [v], key, {n: v.n, label: i => phrase(words.position, i, v.n), show: i => v.show(i), jumps: v.jumps, changes: v.changes});
  v.head.append(drive.bar);
  takeKeys(root, () => drive.press);
  addEventListener("hashchange", () => drive.fromAddress(true));
  if (!drive.fromAddress(true)) drive.go(run.start, true);
  else if (!document.body.classList.contains("tl-page")) root.scrollIntoView();
}

// ---- two runs next to each other ----

// compare lets the reader choose two versions and a program among the runs in root.
function compare(root) {
  const runs = [...root.querySelectorAll("script")].map(json => ({json, program: json.dataset.program, go: json.dataset.go, about: json.dataset.about}));
  const key = root.dataset.key, programs = [...new Set(runs.map(r => r.program))], versions = [...new Set(runs.map(r => r.go))];
  const choice = (label, part, values, value, show = v => v) => {
    const list = h("select", {onchange: () => { remember(key + "-" + part, list.selectedIndex); build(part === "program" ? 0 : drive.time()); }}, values.map(v => h("option", {value: v}, show(v))));
    list.value = value;
    const i = addresses().get(key + "-" + part);
    if (i < values.length) list.selectedIndex = i;
    return {list, shown: values.length > 1 ? h("label", {}, label, list) : null};
  };
  const goes = v => phrase(words.version, v);
  const program = choice(words.program, "program", programs, programs[0]);
  const left = choice(words.compare, "left", versions, root.dataset.left, goes), right = choice(words.with, "right", versions, root.dataset.right, goes);
  const body = h("div", {class: "tl-pair"});
  let drive = null;
  const few = versions.length === 2; // then there is nothing to choose
  if (programs.length > 1 || !few) root.append(h("div", {class: "tl tl-choice"}, program.shown, few ? null : [left.shown, right.shown]));
  root.append(body);

  function build(t) {
    const of = v => runs.find(r => r.program === program.list.value && r.go === v.list.value);
    drive = pair(body, [of(left), of(right)], runs.find(r => r.program === program.list.value), key);
    drive.goTo(t);
  }
  build(+root.dataset.at);
  if (drive.fromAddress(true) && !document.body.classList.contains("tl-page")) root.scrollIntoView();
  takeKeys(root, () => drive.press);
  addEventListener("hashchange", () => drive.fromAddress(true));
}

// pair shows two runs in body. Both stand at one time, that of a step of either.
function pair(body, chosen, first, key) {
  const runs = chosen.map(c => read(c.json)), times = [...new Set(runs.flatMap(r => r.steps.map(d => d.t)))].sort((a, b) => a - b);
  const ends = runs.map(r => r.steps[r.steps.length - 1].t), axis = [0, Math.max(...ends)];
  const at = t => times.findLastIndex(u => u <= t) + 1 || 1; // the position of a time
  const roots = chosen.map(c => h("section", {class: "tl", "aria-label": phrase(words.version, c.go)}, h("header", {class: "tl-title"}, h("p", {class: "tl-name"}, phrase(words.version, c.go)), h("p", {class: "tl-about"}, c.about))));
  const both = h("div", {class: "tl tl-both"}), head = h("div", {class: "tl tl-head"});
  body.replaceChildren(head, h("div", {class: "tl-pair-views"}, roots), both);
  const views = roots.map((r, i) => view(r, runs[i], key, t => drive.go(at(t)), g => drive.pick(g), axis));
  const drive = steer(body, views, key, {
    n: times.length, label: i => clock(runs[0], times[i - 1]),
    show: i => views.forEach(v => v.show(stepAt(v.run, times[i - 1]), times[i - 1])),
    jumps: Object.fromEntries(Object.keys(views[0].jumps).map(kind => [kind, views.flatMap(v => v.jumps[kind].map(i => at(v.run.steps[i - 1].t))).sort((a, b) => a - b)])),
    changes: g => views.flatMap(v => v.changes(g).filter(i => i <= v.n).map(i => at(v.run.steps[i - 1].t))),
  });
  head.append(drive.bar);
  const source = runs.concat(read(first.json)).find(r => r.source)?.source;
  both.append(h("p", {class: "tl-h"}, words.soFarTrue),
    ...views.flatMap((v, i) => [h("p", {class: "tl-end"}, h("b", {}, phrase(words.version, chosen[i].go)), " " + phrase(words.endsAt, clock(v.run, ends[i]))), v.far]), legend(runs));
  if (source) both.append(h("details", {class: "tl-all"}, h("summary", {}, words.program), listing(source)[0]));

  // The two pictures scroll together, and the parts of the runs stand at the same height.
  views.forEach(v => v.fit());
  for (const v of views) v.scroll.addEventListener("scroll", () => views.forEach(w => { if (w !== v) w.scroll.scrollLeft = v.scroll.scrollLeft; }));
  const level = () => {
    views.forEach(v => v.fit());
    for (const part of [".tl-title", ".tl-say", ".tl-now"]) {
      const es = roots.map(r => r.querySelector(part));
      es.forEach(e => e.style.minHeight = "");
      if (roots[0].offsetTop !== roots[1].offsetTop) continue; // one stands below the other
      const most = Math.max(...es.map(e => e.offsetHeight));
      es.forEach(e => e.style.minHeight = most + "px");
    }
  };
  new ResizeObserver(() => requestAnimationFrame(level)).observe(body);
  return {...drive, goTo: t => drive.go(at(t)), time: () => times[drive.at() - 1]};
}

window.goschedTimeline = mount;
document.querySelectorAll(".tl-compare, .tl").forEach(mount);
})();
