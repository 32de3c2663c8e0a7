/** What is said in sentences. */
export { findingOf } from "./finding";
export { howSureOf } from "./howSure";
export { redoTitle } from "./redo";
export { hostTitlesOf, titlesOf } from "./titles";
export type * from "./types";
