/** What a run answers, as the simulation declares it. Units stand in the names. */
export type {
  CallRow, CallWait, Column, CpuRow, DatabaseRow, Est, InstanceRow, LedgerRow, MetricRow, NodeRow, OnCpuRow,
  ProcessRow, Report, ServiceRow, WaitRow,
} from "./generated/types";
