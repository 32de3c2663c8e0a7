/** What sides and their tables show. */
import type { CallRow, CallWait } from "../../engine";
import type { Values } from "../read/input";
import type { WaitClass } from "../read/types";

/** Active sessions over simulated time, stacked from the bottom in the order given. */
export interface ActiveSessionsModel {
  readonly timesS: readonly number[];
  readonly bucketS: number;
  readonly warmupS: number;
  readonly layers: readonly {
    readonly class: WaitClass;
    readonly label: string;
    readonly values: readonly number[];
    readonly mean: number;
  }[];
  readonly cpuLine: number;
  readonly yMax: number;
  /** Who left the cluster in the time shown, of the start that is drawn. */
  readonly left: readonly { readonly atS: number; readonly who: string; readonly why: string }[];
}

/** A histogram in power-of-two buckets. */
export interface SpreadModel {
  readonly label: string;
  /** What stands before the label, as much of it as there is room for. */
  readonly event?: string;
  readonly value: string;
  readonly class: WaitClass | "A" | "B";
  readonly edgesMs: readonly number[];
  readonly shares: readonly number[];
  readonly meansMs: readonly number[];
}

/** A difference of sums over the same starts. */
export interface RowDifference {
  readonly difference: number;
  readonly ci95: number | null;
  readonly isSignificant: boolean;
}

/** Active sessions of both sides. */
export interface SessionsRow extends RowDifference {
  readonly aasA: number | null;
  readonly aasB: number | null;
}

export interface EventRow extends SessionsRow {
  readonly event: string;
  readonly isDatabaseEvent: boolean;
  /** Of background processes the name says so, and the title does not speak. */
  readonly isOfSessions: boolean;
  readonly class: WaitClass;
  readonly meanMsA: number | null;
  readonly meanMsB: number | null;
}

export interface EventTableModel {
  readonly title: string;
  readonly rows: readonly EventRow[];
  /** Of sessions that are active. */
  readonly sum: SessionsRow;
}

export interface TrustModel {
  readonly precision: string;
  readonly precisionOk: boolean;
  readonly warmup: string;
  readonly seed: string;
  readonly events: string;
  readonly laws: readonly { readonly name: string; readonly ok: boolean; readonly residual: string }[];
  readonly cost: string;
}

/** CPU in every way of counting it. */
export interface AccountingModel {
  readonly title: string;
  /** Threads share a core in more than two: then this is the question. */
  readonly isOpen: boolean;
  readonly rows: readonly { readonly name: string; readonly a: string | null; readonly b: string }[];
}

/** What one cause takes of the threads [CPUs at reference speed]. */
export interface LossRow extends RowDifference {
  readonly name: string;
  readonly a: number;
  readonly b: number;
}

/** Where the capacity goes. */
export interface LossTableModel {
  readonly title: string;
  /** Together the sums below. */
  readonly rows: readonly LossRow[];
  readonly sumA: number;
  readonly sumB: number;
}

/** The difference along one assumption. */
export interface Hinge {
  readonly knob: string;
  readonly unit: string;
  /** The first value and the last of those tried at which the sign is certain. */
  readonly from: number;
  readonly to: number;
  readonly here: number;
  readonly even: number | null;
  readonly marks: readonly { readonly value: number; readonly label: string }[];
  readonly leftWord: string;
  readonly rightWord: string;
}

export interface RedoPoint {
  readonly timeS: number;
  readonly value: number;
}

/** An instance with redo and database writers over the end of its first replication; times from 0. */
export interface RedoSide {
  readonly spanS: number;
  /** Of it so much, at its begin, counts in no figure [s]. */
  readonly warmupS: number;
  /** Length of each of the bins below [s]. */
  readonly binS: number;
  readonly commitsPerS: readonly number[];
  /** Null where no log write ended. */
  readonly commitsPerWrite: readonly (number | null)[];
  /** CPUs that the writers use, all together. */
  readonly writersCpus: readonly number[];
  /**
   * How much more redo is to be written from the cache before the next log is free than the present log has room for
   * [MB]; 0 where it is free in time.
   */
  readonly late: readonly RedoPoint[];
  readonly stalls: readonly { readonly fromS: number; readonly toS: number; readonly ms: number }[];
}

/** A figure of a whole run, with its interval. */
export interface RedoFigure {
  readonly value: number;
  readonly ci95: number | null;
}

/** What stands beside the rows of one side: of all replications, not of the seconds that are drawn. */
export interface RedoTotals {
  readonly commitsPerS: RedoFigure;
  readonly commitsPerWrite: RedoFigure;
  readonly writersCpus: RedoFigure;
  readonly stallMs: RedoFigure;
  readonly stallsPerS: RedoFigure;
  readonly switchesPerS: RedoFigure;
  /** A wait of a session for a switch itself, whatever checkpoint [ms]; null: none waited, or instances share them. */
  readonly switchMs: number | null;
}

export interface VariantRow {
  /** What is changed. */
  readonly label: string;
  /** Transactions a second of A and of B; null until they have run. */
  readonly a: number | null;
  readonly b: number | null;
  /** A over B. */
  readonly ratio: number | null;
  readonly ci95: number | null;
}

/** What a published difference could come from. */
export interface VariantsModel {
  readonly title: string;
  readonly rows: readonly VariantRow[];
  readonly published: readonly { readonly ratio: number; readonly label: string }[];
  readonly isAsked: boolean;
}

export interface StatspackEvent {
  readonly event: string;
  /** Null of CPU time. */
  readonly waits: number | null;
  readonly timeS: number;
  readonly meanMs: number | null;
  /** Of the time of all calls: CPU and all events, those of background processes included. */
  readonly percent: number;
}

export interface ClassRow {
  readonly name: string;
  readonly perS: number;
  readonly perSCi95: number | null;
  readonly responseMs: number;
  readonly responseCi95: number | null;
}

/** A run as Statspack prints it, as if it had been watched for so many seconds. */
export interface StatspackModel {
  readonly seconds: number;
  /** What a published report would have to be of. */
  readonly preset: string;
  readonly writers: number;
  /** Knobs that are not as in that run. */
  readonly moved: readonly string[];
  /** Null a second: what comes once a log, of which none fills while it is watched. */
  readonly profile: readonly {
    readonly name: string; readonly perS: number | null; readonly perTransaction: number | null;
  }[];
  /** Classes of transactions, where there are several. */
  readonly classes: readonly ClassRow[];
  readonly top: readonly StatspackEvent[];
  /** Those below the top five. */
  readonly others: readonly StatspackEvent[];
}

/** Requests of one instance that another served. */
export interface PairTime {
  readonly from: number;
  readonly server: number;
  readonly reply: string;
  readonly perS: number;
  readonly meanMs: number;
  readonly ci95: number | null;
  /** They add up to the mean. */
  readonly parts: readonly { readonly part: string; readonly ms: number; readonly share: number }[];
}

/** A row of the global cache's workload characteristics. */
export interface CharacteristicRow {
  readonly name: string;
  /** Figure of the report. */
  readonly id: string;
  /** By instance; null where there was none of it. */
  readonly values: readonly (number | null)[];
}

export interface BlockTimeModel {
  readonly preset: string;
  readonly pairs: readonly PairTime[];
  /** Pairs for which there was no room. */
  readonly left: number;
  readonly instances: readonly number[];
  readonly rows: readonly CharacteristicRow[];
  /** Who left the cluster, in words, and when. */
  readonly evictions: readonly string[];
  readonly load: readonly LoadRow[];
  readonly messaging: readonly MessagingRow[];
  readonly cluster: ClusterModel;
}

/** What AWR calls global cache load, of each instance. */
export interface LoadRow {
  readonly name: string;
  readonly values: readonly { readonly perS: number; readonly perTransaction: number | null }[];
}

export interface MessagingRow {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** A host of a cluster with what its CPUs do [CPUs]; when its instance left, in the first start in which it did [s]. */
export interface ClusterNode {
  readonly instance: number;
  readonly node: number;
  readonly cpus: number;
  readonly busy: number;
  readonly lms: number;
  readonly lgwr: number;
  readonly perS: number;
  readonly goneS: number | null;
}

/** Blocks a second from one instance to another and back, and how long each takes from asking to having. */
export interface ClusterLink {
  readonly one: number;
  readonly other: number;
  readonly there: number;
  readonly thereMs: number;
  readonly back: number;
  readonly backMs: number;
}

export interface ClusterModel {
  readonly nodes: readonly ClusterNode[];
  readonly links: readonly ClusterLink[];
}

/** One statement of a trace, of one session. */
export interface TkprofStatement {
  readonly statement: string;
  /** In words, where no text was published. */
  readonly name: string;
  /** Within how many others it is executed; its time is its own, not theirs. */
  readonly depth: number;
  readonly calls: readonly CallRow[];
  readonly waits: readonly CallWait[];
}

/** What the sessions of a consumer group do; half-widths are null where there are none. */
export interface ConsumerGroup {
  /** Null where there is but one. */
  readonly instance: number | null;
  readonly name: string;
  readonly sessions: number;
  readonly perSecond: number;
  readonly perSecondHalf: number | null;
  /** Null where none ended. */
  readonly response_ms: number | null;
  readonly responseHalf_ms: number | null;
  /** Sessions on a thread. */
  readonly onThread: number;
  readonly runQueue: number;
  /** What they wait for: event and sessions in it, the greatest first. */
  readonly waits: readonly (readonly [string, number])[];
}

/** A trace of a session that ended, as tkprof prints it. */
export interface TkprofModel {
  /** What a published listing would have to be of. */
  readonly preset: string;
  readonly values: Values;
  /** Knobs that are not as in the published run. */
  readonly moved: readonly string[];
  /** Null where there is but one. */
  readonly instance: number | null;
  readonly sessions: number;
  readonly statements: readonly TkprofStatement[];
}
