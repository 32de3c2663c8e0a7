export { figureQueries, figureTable, type FigureAnswers, type FigureGroup, type FigureRow, type FigureTable } from "./figures";
export type { AnalysisInput, HingeAnswer, Values } from "./input";
export { metricWord } from "./curveTitle";
export { metricIdsOf, metricIn, readingOf } from "./metrics";
export { pageOf } from "./page";
export type * from "./types";
