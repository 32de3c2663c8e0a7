/** What is known so far, by scenario: full runs, and points gathered into curves. Bounded; the oldest goes first. */
import { withNewest } from "../base/boundedMap";
import type { EngineError, FullAnswer, PointAnswer, Progress } from "../engine";

export interface FullEntry {
  readonly coarse: FullAnswer | null;
  readonly fine: FullAnswer | null;
  readonly progress: Progress | null;
}

/** A curve is a scenario without its x; points by x. */
export interface CurveEntry {
  readonly coarse: ReadonlyMap<number, PointAnswer>;
  readonly fine: ReadonlyMap<number, PointAnswer>;
  /** Places that are refused, for the queue would grow there for ever. */
  readonly endless?: ReadonlySet<number>;
}

/** The one long recording there is, of the side that the timeline shows. */
export interface Recording {
  readonly full: string;
  readonly isCoarse: boolean;
  readonly answer: FullAnswer;
}

export interface Results {
  readonly timeline: Recording | null;
  readonly fulls: ReadonlyMap<string, FullEntry>;
  readonly curves: ReadonlyMap<string, CurveEntry>;
}

export interface FailureNote {
  readonly error: EngineError;
  readonly scenario: string;
  readonly seed: number;
}

export type ResultItem =
  | {
      readonly kind: "point";
      readonly curve: string;
      readonly x: number;
      readonly isCoarse: boolean;
      /** Null: the queue would grow for ever. */
      readonly point: PointAnswer | null;
    }
  | { readonly kind: "full"; readonly full: string; readonly isCoarse: boolean; readonly answer: FullAnswer }
  | { readonly kind: "timeline"; readonly full: string; readonly isCoarse: boolean; readonly answer: FullAnswer }
  | { readonly kind: "progress"; readonly full: string; readonly progress: Progress };

export const noResults: Results = { timeline: null, fulls: new Map(), curves: new Map() };

const MOST_FULLS = 32;
const MOST_CURVES = 240;

const emptyFull: FullEntry = { coarse: null, fine: null, progress: null };
const emptyCurve: CurveEntry = { coarse: new Map(), fine: new Map() };

function withFull(fulls: Results["fulls"], key: string, change: Partial<FullEntry>): Results["fulls"] {
  return withNewest(fulls, key, { ...(fulls.get(key) ?? emptyFull), ...change }, MOST_FULLS);
}

type PointItem = Extract<ResultItem, { kind: "point" }>;

function groupByCurve(items: readonly PointItem[]): Map<string, PointItem[]> {
  const groups = new Map<string, PointItem[]>();
  for (const item of items) {
    const group = groups.get(item.curve);
    if (group === undefined) groups.set(item.curve, [item]);
    else group.push(item);
  }
  return groups;
}

/** One copy for each curve that a batch touches, not for each point. */
function withPoints(curves: Results["curves"], items: readonly PointItem[]): Results["curves"] {
  const byCurve = groupByCurve(items);
  let next = curves;
  for (const [key, points] of byCurve) {
    const entry = next.get(key) ?? emptyCurve;
    const coarse = new Map(entry.coarse);
    const fine = new Map(entry.fine);
    const endless = new Set(entry.endless);
    for (const { x, isCoarse, point } of points) {
      if (point === null) endless.add(x);
      else (isCoarse ? coarse : fine).set(x, point);
    }
    next = withNewest(next, key, { coarse, fine, endless }, MOST_CURVES);
  }
  return next;
}

export function withResults(results: Results, items: readonly ResultItem[]): Results {
  let { fulls, timeline } = results;
  for (const item of items) {
    if (item.kind === "full")
      fulls = withFull(
        fulls, item.full, item.isCoarse ? { coarse: item.answer } : { fine: item.answer, progress: null },
      );
    else if (item.kind === "timeline") timeline = { full: item.full, isCoarse: item.isCoarse, answer: item.answer };
    else if (item.kind === "progress") fulls = withFull(fulls, item.full, { progress: item.progress });
  }
  return { fulls, timeline, curves: withPoints(results.curves, items.filter((item) => item.kind === "point")) };
}

/** The best answer there is for a point: refined before coarse. */
export function pointAt(results: Results, curve: string, x: number): PointAnswer | null {
  const entry = results.curves.get(curve);
  return entry?.fine.get(x) ?? entry?.coarse.get(x) ?? null;
}

type Half = Pick<FullAnswer | PointAnswer, "pair">;

/** Halves of one run: a half of another was looked at for another time. */
export const areHalves = (a: Half | null | undefined, b: Half | null | undefined): boolean =>
  a?.pair !== undefined && a.pair === b?.pair;

/** Both sides as precise as asked, of one run; null until it is in. */
export function finePair({ fulls }: Results, fullA: string, fullB: string): readonly [FullAnswer, FullAnswer] | null {
  const [a, b] = [fulls.get(fullA)?.fine, fulls.get(fullB)?.fine];
  return a && b && (a === b || areHalves(a, b)) ? [a, b] : null;
}
