/** The workers start before the page is there: what draws it is loaded while they load. */
import { boot } from "./app/boot";
import { browserLink, createAppStore } from "./store";
import "./styles/index.css";

const root = document.getElementById("root");
if (root !== null)
  void boot(
    root, () => import("./app/mount"), (engine) => ({ store: createAppStore(engine, browserLink(window)) }),
  );
