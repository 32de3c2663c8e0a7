/** What a run answers, as the simulation prints it. Units stand in the names. */

/** A mean, its 95 % half-width (null: too little data), and one mean per replication. */
export interface Est {
  readonly mean: number;
  readonly ci95: number | null;
  readonly reps: readonly number[];
}

export interface WaitRow {
  readonly event: string;
  readonly class: string;
  readonly process_kind: string;
  readonly count: number;
  readonly time_s: number;
  readonly mean_ms: number;
  readonly ci95: number | null;
  readonly reps: readonly number[];
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  readonly db_time_pct: number;
  readonly aas: Est;
}

export interface OnCpuRow {
  readonly state: string;
  readonly count: number;
  readonly time_s: number;
  readonly mean_ms: number;
  readonly ci95: number | null;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  readonly db_time_pct: number;
  readonly aas: Est;
}

export interface InstanceRow {
  readonly slots: number | null;
  readonly slot_utilisation: Est | null;
  /** Slots that stood empty while a session waited, on average. */
  readonly slots_empty: number | null;
}

export interface NodeRow {
  readonly threads: number;
  readonly cpu_busy_threads: number;
  readonly useful_threads: number;
  readonly switch_threads: number;
  readonly spin_threads: number;
  readonly mean_slice_ms: number;
  readonly mean_switch_us: number;
  readonly switches_per_s: number;
}

export interface ProcessRow {
  readonly kind: string;
  readonly node: number;
  readonly count: number;
  readonly cpu_s: number;
  readonly run_queue_s: number;
  readonly dispatch_delay_us: { readonly mean: number; readonly p50: number; readonly p99: number; readonly max: number };
  readonly switches_voluntary: number;
  readonly switches_involuntary: number;
  readonly migrations: number;
}

export interface Column {
  readonly key: string;
  readonly offset: number;
  readonly length: number;
}

export interface Report {
  readonly version: number;
  readonly query: string;
  readonly seed: number;
  readonly throughput: { readonly transactions_per_s: Est; readonly lio_per_s: Est };
  readonly response_ms: Est & {
    readonly p50: number;
    readonly p95: number;
    readonly p99: number;
    readonly max: number;
    readonly count: number;
  };
  readonly waits: readonly WaitRow[];
  readonly on_cpu: readonly OnCpuRow[];
  readonly aas: readonly ({ readonly class: string } & Est)[];
  readonly instances: readonly InstanceRow[];
  readonly processes: readonly ProcessRow[];
  readonly nodes: readonly NodeRow[];
  readonly simulated_s: number;
  readonly warmup_s: number;
  readonly replications: number;
  readonly batches: number;
  readonly batch_s: number;
  readonly events: number;
  readonly precision: {
    readonly asked: number;
    readonly reached: number | null;
    readonly ok: boolean;
    readonly truncated: boolean;
  };
  readonly checks: readonly { readonly law: string; readonly residual: number; readonly ok: boolean }[];
  readonly columns: readonly Column[];
}
