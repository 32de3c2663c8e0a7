/** Loaded when it is asked for: the first paint does not pay for it. */
import { lately } from "../ui/lately";

/** A button that does nothing would be taken for broken. */
const missing = <p className="trust" role="alert">This did not load.</p>;

/** Come with the first of them that is opened. */
export const Dialogs = lately(() => import("./Dialogs").then((loaded) => loaded.Dialogs), null, missing);
export const TimelinePanel = lately(
  () => import("../features/timeline/TimelinePanel").then((loaded) => loaded.TimelinePanel),
  <p className="mute">Loading the timeline …</p>, missing,
);
