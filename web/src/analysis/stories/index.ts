/** What is said in sentences. */
export { findingOf } from "./finding";
export { howSureOf } from "./howSure";
export { redoTitle } from "./redo";
export { hostTitlesOf, titlesOf } from "./titles";
export type * from "./types";

/** What one should do: fetched when there is a finding, not with the page. */
export const loadAdvice = () => import("./advice");
