// Uses the steppers of the page as a reader does, and writes what is seen into #seen.
(async () => {
"use strict";
const seen = {errors: []};
addEventListener("error", e => seen.errors.push(e.message));
let addresses = 0;
history.replaceState = () => { addresses++; };

const until = async holds => { while (!holds()) await new Promise(r => setTimeout(r, 5)); };
const shown = e => getComputedStyle(e).display !== "none";
const inside = (e, box) => {
  const r = e.getBoundingClientRect(), b = box.getBoundingClientRect();
  return r.top >= b.top - 1 && r.bottom <= b.bottom + 1;
};
const press = (e, key) => { e.focus(); e.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true})); };
const line = root => root.querySelector(".fail-say .fail-when").textContent;
const buttons = root => [...root.querySelectorAll(".fail-bar button")];

const [wide, narrow] = document.querySelectorAll(".fail");
seen.forms = [wide, narrow].map(root => [".fail-lanes", ".fail-rows"].map(c => shown(root.querySelector(c))).join());
seen.builtBeforeAsked = document.querySelectorAll(".fail-stepper").length;
wide.querySelector("details").open = true; // as a page does that opens everything for paper
await until(() => wide.querySelector("details").open);
await new Promise(r => setTimeout(r, 50));
seen.builtForPaper = document.querySelectorAll(".fail-stepper").length;
wide.querySelector("details").open = false;
await new Promise(r => setTimeout(r, 50));
for (const root of [wide, narrow]) {
  root.querySelector("summary").click();
  await until(() => root.querySelector(".fail-stepper"));
}
await new Promise(r => setTimeout(r, 50));

const next = wide.querySelector(".fail-next"), box = wide.querySelector(".fail-scroll");
next.focus(); // which moves the page
const y = scrollY;
const steps = [];
const use = key => { press(next, key); steps.push(key + ": " + line(wide)); };
["ArrowRight", "ArrowDown", "ArrowLeft", "s", "End", "ArrowRight", "ArrowUp", "Home", "ArrowLeft"].forEach(use);
seen.steps = steps;
press(next, "End");
seen.lastInSight = inside(wide.querySelector(".fail-at"), box) && box.scrollTop > 0;
seen.current = wide.querySelectorAll("[aria-current=step]").length;
seen.atEnd = buttons(wide).map(b => b.textContent + " " + b.getAttribute("aria-disabled"));
seen.verdict = [...wide.querySelectorAll(".fail-say .fail-wrong")].map(e => e.textContent).join("; ");
press(narrow.querySelector(".fail-next"), "End");
seen.tall = narrow.querySelector(".fail-stepper").offsetHeight;
press(narrow.querySelector(".fail-next"), "Home");
next.focus();
scrollTo({top: y, behavior: "instant"});
seen.pageMoved = scrollY - y;
seen.other = line(narrow);
press(document.body, "Home");
seen.outside = line(wide);
const slider = wide.querySelector("input");
slider.value = 2;
slider.dispatchEvent(new Event("input"));
seen.slider = slider.getAttribute("aria-valuetext");
buttons(narrow)[2].click();
seen.button = line(narrow);
seen.live = narrow.querySelector("[aria-live=polite]").textContent;
seen.tags = [wide, narrow].map(root => root.querySelector(".fail-run .fail-who").getBoundingClientRect().width > 1);
seen.names = [...document.querySelectorAll(".fail-stepper")].map(e => e.getAttribute("aria-label"));
seen.ids = [...document.querySelectorAll("[id]")].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i);
seen.sideways = document.documentElement.scrollWidth > innerWidth || narrow.scrollWidth > narrow.clientWidth;
await new Promise(r => setTimeout(r, 500));
seen.addresses = addresses;

const out = document.createElement("pre");
out.id = "seen";
out.textContent = JSON.stringify(seen);
document.body.append(out);
})();
