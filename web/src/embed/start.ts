/** What the frame needs beside what draws it: an engine, the store over it, and the line to its host. */
import type { Parts } from "../app/boot";
import { createBrowserEngine, createOwnThreadEngine, nextFrame } from "../engine/browserEngine";
import { createAppStore, memoryLink, selectKnobs } from "../store";
import { openBridge } from "./bridge";
import { outOfRange, readFrameOptions } from "./frameOptions";
import { lineTo, type EarlyMessages } from "./lines";
import { hostOf } from "./protocol";
import { noneOf } from "./told";

export const parts: Parts = {
  pool: createBrowserEngine,
  ownThread: createOwnThreadEngine,
  start: (engine) => {
    const options = readFrameOptions(location.search, engine.catalogue);
    // A frame's history is its host's: what is dragged here must not fill the Back button there.
    const store = createAppStore(engine, memoryLink(location.hash), options.view, options.catalogue);
    const state = store.getState();
    // Rows of knobs are costly, and nothing else leaves a value out.
    const leftOut = options.catalogue === engine.catalogue ? [] : outOfRange(selectKnobs(state), state.preset);
    const problems = [...options.problems, ...leftOut];
    addEventListener("hashchange", () => store.dispatch({ type: "linkOpened", hash: location.hash }));
    const { wwiEarly } = window as Window & { readonly wwiEarly?: EarlyMessages };
    const host = lineTo(hostOf(options.origin, document.referrer), window, wwiEarly);
    if (host !== null) openBridge(store, host.line, nextFrame, host.before, problems, options.panels);
    return { store, frame: { ...options, problems, none: (input) => noneOf(options.panels, input) } };
  },
};
