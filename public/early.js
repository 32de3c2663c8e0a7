// Runs before anything else of the frame: keeps what the host page says until somebody listens (src/embed/lines.ts).
"use strict";
{
  const MOST = 1000;
  const messages = [];
  const keep = ({ origin, source, data }) => {
    if (messages.length < MOST && source === window.parent) messages.push({ origin, source, data });
  };
  addEventListener("message", keep);
  window.wwiEarly = { messages, stop: () => removeEventListener("message", keep) };
}
