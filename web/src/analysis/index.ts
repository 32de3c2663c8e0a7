export {
  figureQueries, figureTable, type FigureAnswers, type FigureGroup, type FigureRow, type FigureTable,
} from "./sides/figureTable";
export type { AnalysisInput, HingeAnswer, Values } from "./read/input";
export { answerOf, type Told, type ToldFigure, type ToldFigures } from "./sides/answer";
export { reached } from "./sweep/curves";
export { metricWord } from "./sweep/curveTitle";
export { shapesOf, type HostShape } from "./read/host";
export {
  LOADS, MEASURES, MOST_MEASURED, measuredText, mostMeasured, readMeasured, type Measured,
} from "./read/measured";
export { hasDatabase, hasGroups, hasPairs, hasTrace } from "./read/parts";
export { isSketch } from "./read/stage";
export { hasRatios, metricIdsOf, metricIn, readingOf } from "./read/metrics";
export {
  curveIn, eventsIn, findingIn, howSureIn, lossesIn, matrixIn, measuredIn, pageOf, trustIn,
} from "./page";
export { loadAdvice } from "./stories";
export type * from "./types";
