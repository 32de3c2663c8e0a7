/**
 * What the first sketch of a preset came to when the page was built. It stands until the same requests have been
 * answered here, and is of the preset as it is: of another scenario nothing is kept.
 */
import type { EventTableModel, SaidFinding } from "../analysis";
import type { Engine, PointAnswer } from "../engine";
import { memoBy } from "../base/memo";
import type { Action } from "./actions";
import type { CurveEntry } from "./results";
import type { AppState } from "./state";
import type { Keys } from "./keys";

/** Place, mean, half-widths (of the interval, and relative of the figures that count), then one mean a replication. */
export type KeptPoint = readonly [
  x: number, mean: number, ci95: number | null, precision: number | null, ...reps: number[],
];

export interface Kept {
  /** The figure that the points have. */
  readonly metric: string;
  /** Names of the runs, seed included. */
  readonly fullA: string;
  readonly fullB: string;
  /** By the name of the curve. */
  readonly curves: Readonly<Record<string, readonly KeptPoint[]>>;
  readonly finding: SaidFinding;
  readonly events: EventTableModel | null;
}

function pointOf(metric: string, [, mean, ci95, precision, ...reps]: KeptPoint): PointAnswer {
  const own = { mean, ci95, reps };
  const none = { mean: Number.NaN, ci95: null, reps: [] };
  const lio = metric === "throughput_lio" ? own : none;
  const response = metric === "response_mean_ms" ? own : none;
  return {
    lioPerS: lio.mean, lioCi95: lio.ci95, lioReps: lio.reps, responseMs: response.mean, responseCi95: response.ci95,
    responseReps: response.reps, metric: own, precision, events: 0, truncated: false, elapsedMs: 0,
  };
}

const curvesOf = memoBy(({ metric, curves }: Kept): ReadonlyMap<string, CurveEntry["coarse"]> =>
  new Map(
    Object.entries(curves).map(([key, points]) => [key, new Map(points.map((one) => [one[0], pointOf(metric, one)]))]),
  ),
);

/** The curve as far as it has run, where it has not as it was kept. */
export function withKept(
  { kept, results }: Pick<AppState, "kept" | "results">, key: string, metric: string,
): CurveEntry | undefined {
  const live = results.curves.get(key);
  const old = kept?.metric === metric ? curvesOf(kept).get(key) : undefined;
  if (old === undefined) return live;
  return { ...live, coarse: new Map([...old, ...(live?.coarse ?? [])]), fine: live?.fine ?? new Map() };
}

/** Finding and event table of the scenario as it is, before it has run. */
export function keptFor({ kept, view, shown, isRefused }: AppState, keys: Keys): Kept | null {
  const isPlain = view.y === null && view.x === null && view.host === null && view.points === null && !isRefused;
  const isSame = kept?.fullA === keys.fullA && kept.fullB === keys.fullB && kept.metric === keys.metric.id;
  return isPlain && isSame && shown.answered === null ? kept : null;
}

/** Fetches what is kept of the preset that is shown, each once. */
export class KeptEffects {
  private readonly asked = new Set<string>();
  private readonly engine: Engine;
  private readonly getState: () => AppState;
  private readonly dispatch: (action: Action) => void;

  constructor(engine: Engine, getState: () => AppState, dispatch: (action: Action) => void) {
    this.engine = engine;
    this.getState = getState;
    this.dispatch = dispatch;
  }

  /** Settles once it is here, or is known not to be. */
  async stateChanged(): Promise<void> {
    const { preset, shown } = this.getState();
    if (this.asked.has(preset) || shown.answered !== null) return;
    this.asked.add(preset);
    const kept = await this.engine.kept(preset).catch(() => null);
    if (kept !== null) this.dispatch({ type: "keptArrived", kept: kept as Kept });
  }
}
