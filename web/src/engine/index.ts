/** What the rest of the page may know of the engine. */
export { asKnobValue, findKnob, findPreset, splitScope } from "./catalogue";
export type {
  Activity, Catalogue, Knob, KnobValue, KnobValues, KnobWords, Metric, Preset, PublishedFigure, Sweep, Texts, Verdict,
  When,
} from "./catalogue";
export type { Engine, Hand, Job, NextFrame, Outcome, RunTask, Task } from "./engine";
export type {
  Description, EngineError, FitAsked, Fitted, FullAnswer, PointAnswer, Problem, Progress, RunOptions, Trying,
} from "./protocol";
export type {
  CallRow, CallWait, Column, CpuRow, DatabaseRow, Est, InstanceRow, LedgerRow, MetricRow, NodeRow, OnCpuRow, Report,
  ServiceRow, WaitRow,
} from "./report";
export { gridOf, sketchOf, visitOrder } from "./visitOrder";
