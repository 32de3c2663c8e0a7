/** What is under way for the page, and how far it is. */
import { memoOn } from "../base/memo";
import type { AppState } from "./state";
import { keysOf, type Keys } from "./keys";
import { isKnown, nameOf, wantedOf, type Wanted } from "./wanted";

export interface Work {
  /** In words: "the first run of both sides". */
  readonly what: string;
  /** Runs. */
  readonly done: number;
  readonly all: number;
  readonly isStopped: boolean;
}

const plannedFor = memoOn(
  (state: AppState) => [
    keysOf(state), state.inHand === null, state.view.view, state.view.timelineSide, state.variantsOf,
  ],
  (state) => wantedOf(state, keysOf(state)),
);

const workParts = (state: AppState): readonly unknown[] => [
  plannedFor(state), state.results, state.failure, state.leftOut, state.isRefused, state.isStopped,
];

const isDue = (state: AppState): ((one: Wanted) => boolean) => {
  const leftOut = new Set(state.leftOut);
  return (one) => !isKnown(state, one) && !leftOut.has(nameOf(one));
};

/** Something that the present state asks for is not known yet, and is still being computed. */
export const selectIsBusy = memoOn(workParts, (state) => {
  if (state.failure !== null || state.isRefused || state.isStopped) return false;
  return plannedFor(state).some(isDue(state));
});

/** Of A's curve and B's no point is to come any more; some places may not be allowed, on either side. */
export function areCurvesOver(state: AppState): boolean {
  const { curveB } = keysOf(state);
  // Both sides are refined in pairs, after their sketches; under a hand nothing but sketches is planned.
  const pairs = plannedFor(state).filter((one) => one.kind === "point" && one.curve === curveB && !one.options.coarse);
  return pairs.length > 0 && !pairs.some(isDue(state));
}

function whatOf(wanted: Wanted, { curveA, curveB, family }: Keys): string {
  const { coarse } = wanted.options;
  switch (wanted.kind) {
    case "full":
      return coarse ? "a first run of either side" : "both sides, as precise as asked";
    case "timeline":
      return coarse ? "a first recording" : "the recording";
    case "point":
      if (wanted.curve.includes(" whole")) return "what the answer hangs on";
      return ![curveA, curveB, ...family.map(({ curve }) => curve)].includes(wanted.curve)
        ? "the map of two knobs" : coarse ? "a first sketch of the curves" : "the curves, as precise as asked";
  }
}

/** Null where all is known, or cannot be. */
export const selectWork = memoOn(workParts, (state): Work | null => {
  if (state.failure !== null || state.isRefused) return null;
  const planned = plannedFor(state);
  const due = planned.filter(isDue(state));
  const [next] = due;
  if (next === undefined) return null;
  const what = whatOf(next, keysOf(state));
  return { what, done: planned.length - due.length, all: planned.length, isStopped: state.isStopped };
});
