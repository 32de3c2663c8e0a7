/** The workers start before the page is there: what makes and draws it is loaded while they load. */
import { boot } from "../app/boot";
import { startEarly } from "../engine/early";
import "../styles/index.css";

startEarly();
const root = document.getElementById("root");
if (root !== null) void boot(root, () => import("../app/mount"), () => import("./start"));
