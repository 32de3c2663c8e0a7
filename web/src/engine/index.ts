/** What the rest of the page may know of the engine. */
export { activitiesOf, asKnobValue, findKnob, findPreset, splitScope } from "./catalogue";
export type { Activity, Catalogue, Knob, KnobValue, KnobValues, Preset, PublishedFigure, Sweep } from "./catalogue";
export type { Engine, Hand, Job, NextFrame, Outcome, Task } from "./engine";
export type { Description, EngineError, FullAnswer, PointAnswer, Problem, Progress, RunOptions } from "./protocol";
export type { Column, Est, InstanceRow, NodeRow, OnCpuRow, Report, WaitRow } from "./report";
export { gridOf, sketchOf, visitOrder } from "./visitOrder";
