/** The workers start before the page is there: what draws it is loaded while they load. */
import { createBrowserEngine } from "./engine/browserEngine";
import { browserLink, createAppStore } from "./store";
import "./styles/index.css";

const store = createAppStore(createBrowserEngine(), browserLink(window));
const root = document.getElementById("root");
if (root !== null) void import("./app/mount").then(({ mount }) => mount(root, { store }));
