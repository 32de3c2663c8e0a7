export type { AnalysisInput, HingeAnswer, Values } from "./input";
export { pageOf } from "./page";
export type * from "./types";
