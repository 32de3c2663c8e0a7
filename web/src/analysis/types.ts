/** Shapes that analysis hands to charts and panels: plain data, no React, no store. Units stand in the names. */
import type { Stage } from "./read/types";
import type {
  AccountingModel, ActiveSessionsModel, BlockTimeModel, ConsumerGroup, RedoSide, RedoTotals, SpreadModel,
  StatspackModel, TkprofModel, TrustModel,
} from "./sides/types";
import type { Finding, HostTitles, Titles } from "./stories";
import type { CurveModel } from "./sweep/types";
import type { LanesModel } from "./timeline/types";


export type * from "./read/types";
export type * from "./sides/types";
export type * from "./stories";
export type * from "./sweep/types";
export type * from "./timeline/types";

/** What one side (A or B) shows in the matrix. */
export interface SideModel {
  readonly name: string;
  readonly activeSessions: ActiveSessionsModel;
  readonly lanes: LanesModel;
  readonly waitSpread: SpreadModel | null;
  readonly responseSpread: SpreadModel;
  /** Answers of the host's server, where there is one. */
  readonly serviceSpread: SpreadModel | null;
}

/** One host on both sides. */
export interface HostModel {
  /** "host 2"; null where there is but one. */
  readonly name: string | null;
  readonly a: SideModel | null;
  readonly b: SideModel | null;
  readonly titles: HostTitles;
}

/** A beside B: charts in two columns, with one title a row. */
export interface MatrixModel {
  readonly a: SideModel | null;
  readonly b: SideModel | null;
  /** How many there are; shown are those below. */
  readonly hostCount: number;
  readonly hosts: readonly HostModel[];
  readonly accounting: AccountingModel | null;
  readonly titles: Titles;
}

/** Both sides as Statspack prints them. */
export interface SidesOfBlockTime {
  readonly a: BlockTimeModel | null;
  readonly b: BlockTimeModel;
}

export interface SidesOfStatspack {
  readonly a: StatspackModel | null;
  readonly b: StatspackModel;
}

/** Consumer groups of both sides. */
export interface SidesOfConsumerGroups {
  readonly a: readonly ConsumerGroup[] | null;
  readonly b: readonly ConsumerGroup[] | null;
}

/** A session of both sides as tkprof prints its trace. */
export interface SidesOfTkprof {
  readonly a: TkprofModel | null;
  readonly b: TkprofModel;
}

/** An instance with redo and database writers on both sides. */
export interface RedoModel {
  readonly title: string;
  readonly nameA: string;
  readonly nameB: string;
  readonly a: { readonly side: RedoSide; readonly totals: RedoTotals } | null;
  readonly b: { readonly side: RedoSide; readonly totals: RedoTotals };
}

/** Drafts are shown, and only what stands is said aloud. */
export interface SaidFinding extends Finding {
  readonly isSaid: boolean;
}

/** What the page is about, derived from (scenario, results, view state), whichever panels it shows. */
export interface PageModel {
  readonly finding: SaidFinding;
  readonly curve: CurveModel;
  readonly trust: TrustModel | null;
  readonly stage: Stage;
}
