/** The axes of the sweep chart: what the two menus offer, and how its handle moves. */
import { metricIdsOf } from "../analysis";
import { memoOn } from "../base/memo";
import { findKnob, splitScope, type Metric } from "../engine";
import { stepsOf, sweepable, type Steps } from "./axes";
import { isLocked, mayStandOnAxis } from "./locks";
import { bestFull, rowKeys, saidKeys } from "./selectors";
import type { AppState } from "./state";
import { sideOf } from "./values";
import { keysOf, mayCross } from "./keys";

/** How the handle of the chart moves: whatever stands on the axis, with a row in the column or without. */
export const selectHandle = memoOn(
  (state: AppState) => [
    state.catalogue, state.preset, state.base, state.ghost, state.view.x, state.view.locked, state.view.held,
  ],
  (state): Steps & { readonly isLocked: boolean } => {
    const { knob } = keysOf(state).axis;
    return { ...stepsOf(findKnob(state.catalogue, knob)), isLocked: isLocked(state, knob) };
  },
);

/** What the two menus of the chart offer, and what is chosen. */
export interface AxesChoice {
  readonly y: string;
  readonly x: string;
  /** The second knob of the map; null: none. */
  readonly by: string | null;
  readonly metrics: readonly Metric[];
  /** `acts`: on either side. */
  readonly knobs: readonly {
    readonly id: string;
    readonly group: string;
    readonly acts: boolean;
    /** It may stand across that of the axis. */
    readonly crosses: boolean;
  }[];
  /** A frame holds them where they are. */
  readonly areFixed: boolean;
}

/** Metrics that a run of this scenario answers; all of them before there is one. */
export const selectAxes = memoOn(
  (state: AppState) => [
    state.catalogue, state.preset, state.base, state.ghost, state.view.y, state.view.x, state.view.by,
    state.view.locked, state.view.held, answeredIds(state),
  ],
  (state): AxesChoice => {
    const { catalogue } = state;
    const known = answeredIds(state);
    const said = saidKeys(state);
    const { metric, axis, map } = keysOf(state);
    const [a, b] = [sideOf(catalogue, state, "A"), sideOf(catalogue, state, "B")];
    // What stands on the axis is offered for each of its parts.
    const isOfAxis = (key: string): boolean => splitScope(key).id === splitScope(axis.knob).id;
    const crosses = (key: string): boolean => mayCross(catalogue, state, key, axis.knob);
    return {
      y: metric.id, x: axis.knob, by: map?.by.knob ?? null, areFixed: state.view.held.areAxesLocked,
      metrics:
        known === ""
          ? catalogue.metrics
          : catalogue.metrics.filter(({ id }) => id === metric.id || known.split(" ").includes(id)),
      knobs: sweepable(
        catalogue,
        rowKeys(state).filter((key) => !/@(?:instance|node)\d/.test(key) || said.has(key) || isOfAxis(key)),
      )
        .filter((id) => id === axis.knob || mayStandOnAxis(state, id))
        .map((id) => ({
          id, group: findKnob(catalogue, id)?.group ?? "", acts: a.acts(id) || b.acts(id), crosses: crosses(id),
        })),
    };
  },
);

function answeredIds(state: AppState): string {
  const full = bestFull(state.results.fulls.get(state.shown.answered?.fullB ?? ""));
  return full === null ? "" : metricIdsOf(full.report).join(" ");
}
