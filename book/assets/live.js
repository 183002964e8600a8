"use strict";

// A page that is served loads itself anew when the book has changed. Only the one that is
// seen listens: a browser keeps few connections to a server, whatever the number of tabs.
(() => {
  let source = null;
  let first = "";
  function listen() {
    source?.close();
    source = null;
    if (document.hidden) return;
    source = new EventSource("changes");
    source.onmessage = (e) => {
      if (first !== "" && e.data !== first) location.reload();
      first = e.data;
    };
  }
  document.addEventListener("visibilitychange", listen);
  listen();
})();
