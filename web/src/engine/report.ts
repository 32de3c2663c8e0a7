/** What a run answers, as the simulation declares it. Units stand in the names. */
export type { Column, Est, InstanceRow, NodeRow, OnCpuRow, ProcessRow, Report, WaitRow } from "./generated/types";
