"use strict";

// A page that is served loads itself anew when the book has changed, and shows in the list
// of pages how many checks of a chapter pass. Only the page that is seen does: a browser
// keeps few connections to a server, whatever the number of its tabs.
(() => {
  let source = null;
  let first = "";

  function listen() {
    source = new EventSource("changes");
    source.onmessage = (e) => {
      if (first !== "" && e.data !== first) location.reload();
      first = e.data;
    };
  }

  async function stand() {
    const marks = await fetch("standing").then((r) => r.json()).catch(() => ({}));
    for (const link of document.querySelectorAll("#pages a[href]")) {
      const mark = marks[link.getAttribute("href")];
      if (!mark) continue;
      let shown = link.querySelector(".standing");
      if (!shown) {
        shown = document.createElement("span");
        shown.className = "standing";
        link.append(shown);
      }
      shown.textContent = mark[0];
      shown.title = mark[1];
    }
  }

  function look() {
    source?.close();
    if (document.hidden) return;
    listen();
    stand();
  }
  document.addEventListener("visibilitychange", look);
  look();
})();
