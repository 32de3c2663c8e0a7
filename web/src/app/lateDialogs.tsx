import { lately } from "../ui/lately";

/** Come with the first of them that is opened; a button that does nothing would be taken for broken. */
export const Dialogs = lately(
  () => import("./Dialogs").then((loaded) => loaded.Dialogs), null,
  <p className="trust" role="alert">The dialogs did not load. Load the page again.</p>,
);
