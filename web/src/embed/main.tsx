import { createBrowserEngine } from "../engine/browserEngine";
import { createAppStore, memoryLink } from "../store";
import { openBridge } from "./bridge";
import { readFrameOptions } from "./frameOptions";
import { hostOrigin } from "./protocol";
import "../styles/index.css";

const root = document.getElementById("root");
if (root !== null) {
  const options = readFrameOptions(location.search);
  // A frame's history is its host's: what is dragged here must not fill the Back button there.
  const store = createAppStore(createBrowserEngine(), memoryLink(location.hash), options.view);
  addEventListener("hashchange", () => store.dispatch({ type: "linkOpened", hash: location.hash }));
  const origin = hostOrigin(options.origin, document.referrer);
  if (window.parent !== window && origin !== null) openBridge(store, window, origin);
  void import("../app/mount").then(({ mount }) => mount(root, { store, frame: options }));
}
