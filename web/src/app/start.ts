/** What the page needs beside what draws it: an engine, and the store over it. */
import { createBrowserEngine, createOwnThreadEngine } from "../engine/browserEngine";
import { browserLink, createAppStore } from "../store";
import type { Parts } from "./boot";

export const parts: Parts = {
  pool: createBrowserEngine,
  ownThread: createOwnThreadEngine,
  start: (engine) => ({ store: createAppStore(engine, browserLink(window)) }),
};
