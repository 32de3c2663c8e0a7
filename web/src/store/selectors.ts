/** What the page shows, derived from the state. Remembered: the same state gives the same objects. */
import {
  figureTable, metricIn, pageOf, readingOf, shapesOf, type AnalysisInput, type FigureTable,
  type HostShape, type PageModel,
} from "../analysis";
import { memoLast, memoOn } from "../base/memo";
import {
  findKnob, type Activity, type Catalogue, type FullAnswer, type Knob, type KnobValue, type PointAnswer,
  type Preset, type Report,
} from "../engine";
import { formatQuantity } from "../units";
import { CHEAP_METRICS, RUN, placeOn } from "./axes";
import { isLocked } from "./locks";
import { sliderReach } from "./reach";
import { keptFor, withKept } from "./kept";
import { finePair, pointAt, type CurveEntry, type FullEntry, type Results } from "./results";
import type { AppState } from "./state";
import { encodeLink, plainView } from "./urlState";
import { textOf } from "./readValue";
import { Scenario } from "./scenario";
import { scopeOfKey } from "./scope";
import { presetOf, sameValue, sideOf, valueIn, valuesOf, valuesWithin, type Pair } from "./values";
import { areOnOneAxis, keysOf, queryOfKey, timelineKey, WHOLE, type Keys, type MapKeys } from "./keys";
import { budgetOf, precisionOf } from "./wanted";
import { areCurvesOver } from "./work";

/** One knob as the column shows it. */
export interface KnobRow {
  /** Key in the scenario, scope included. */
  readonly id: string;
  readonly knob: Knob;
  readonly group: string;
  /** The group's place among the others. */
  readonly groupAt: number;
  /** The host that it speaks of, where it is one of several; null: all. */
  readonly host: number | null;
  /** Its smallest parts have different values on either side; what is said of all of them holds for none. */
  readonly isMixed: boolean;
  /** Ends of its slider. */
  readonly min: number;
  readonly max: number;
  /** Value of the present, B. */
  readonly value: KnobValue;
  readonly valueA: KnobValue;
  readonly defaultValue: KnobValue;
  /** Away from the default. */
  readonly isMoved: boolean;
  readonly differs: boolean;
  /** Of one part: something is said of it alone. */
  readonly isSaid: boolean;
  /** It can change something, on either side. */
  readonly acts: boolean;
  readonly isLocked: boolean;
  /** While in the hand: the value before. */
  readonly before: KnobValue | null;
  /** What a screen reader says after the value: the result. */
  readonly announcement: string;
}

export interface PresetRow {
  readonly id: string;
  readonly title: string;
  /** Once it is fetched. */
  readonly question: string | undefined;
  readonly isChosen: boolean;
}

/** What A says otherwise, for itself or for a part of what it speaks of. */
function differing(state: AppState, pair: Pair): string[] {
  const [a, b] = [sideOf(state.catalogue, pair, "A"), sideOf(state.catalogue, pair, "B")];
  return Object.keys(pair.ghost).filter((key) => {
    const knob = findKnob(state.catalogue, key);
    if (knob === null) return false;
    const other = valuesWithin(b, knob, key);
    return valuesWithin(a, knob, key).some((value, i) => !sameValue(value, other[i] ?? value));
  });
}

export function bestFull(entry: FullEntry | undefined): FullAnswer | null {
  return entry?.fine ?? entry?.coarse ?? null;
}

/** Both fine and of one run, or both coarse: replications pair only when they are alike. */
function bestPair(
  results: Results, fullA: string, fullB: string,
): readonly [FullAnswer | null, FullAnswer | null] {
  const [a, b] = [results.fulls.get(fullA), results.fulls.get(fullB)];
  return finePair(results, fullA, fullB)
    ?? (a?.coarse && b?.coarse ? [a.coarse, b.coarse] : [bestFull(a), bestFull(b)]);
}

/** A curve on the grid and under the handle; what earlier drags left between is coarser, and of other axes beyond. */
function onGrid(entry: CurveEntry | undefined, grid: ReadonlySet<number>): CurveEntry | null {
  if (entry === undefined) return null;
  const kept = (points: CurveEntry["coarse"]): CurveEntry["coarse"] =>
    new Map([...points].filter(([x]) => grid.has(x)));
  const endless = new Set([...(entry.endless ?? [])].filter((x) => grid.has(x)));
  return { coarse: kept(entry.coarse), fine: kept(entry.fine), endless };
}

function spentMs(curves: readonly (CurveEntry | null)[], fulls: readonly (FullAnswer | null)[]): number {
  let spent = 0;
  for (const curve of new Set(curves)) {
    for (const points of [curve?.coarse, curve?.fine])
      for (const point of points?.values() ?? []) spent += point.elapsedMs;
  }
  for (const full of new Set(fulls)) spent += full?.elapsedMs ?? 0;
  return spent;
}

/** A full run is a point, too: that of its own x, and then the one that the command line prints. */
function pointOf({ report, elapsedMs }: FullAnswer, metric: string): PointAnswer {
  const { lio_per_s: lio } = report.throughput;
  const { response_ms: response, precision, events, services } = report;
  // Of several figures: of the one alone it is known where a queue grows, for there it has none.
  const isGrowing = services.some(({ grows }) => grows);
  return {
    lioPerS: lio.mean, lioCi95: lio.ci95, lioReps: lio.reps, responseMs: response.mean, responseCi95: response.ci95,
    responseReps: response.reps, metric: metricIn(report, metric), precision: isGrowing ? 0 : null, events,
    truncated: precision.truncated, elapsedMs,
  };
}

/** Under the finger the new point stands before the rest of its curve does. */
function withPoint(curve: CurveEntry | null, x: number, point: PointAnswer | null): CurveEntry | null {
  if (curve === null || point === null) return curve;
  return { ...curve, fine: new Map([...curve.fine, [x, point]]) };
}

function withFull(
  curve: CurveEntry | null, x: number, full: FullAnswer | null | undefined, metric: string,
): CurveEntry | null {
  return withPoint(curve, x, full ? pointOf(full, metric) : null);
}

/** The place of A where it says its own of the knob of the axis, or of more; null where it stands below B. */
function placeOfA(state: AppState, pair: Pair, { axis }: Keys): number | null {
  const knob = findKnob(state.catalogue, axis.knob);
  const { scopes } = sideOf(state.catalogue, pair, "A");
  const speaks = (key: string): boolean =>
    key === axis.knob || (knob !== null && scopes.isWithin(knob, axis.knob, key));
  return Object.keys(pair.ghost).some(speaks)
    ? placeOn(axis, valueIn(state.catalogue, pair, "A", axis.knob))
    : null;
}

function curvesOf(state: AppState, keys: Keys): Pick<AnalysisInput, "curveA" | "curveB" | "family"> {
  const { results, shown } = state;
  const xA = placeOfA(state, state, keys);
  const metric = keys.metric.id;
  const grid = new Set([...keys.axis.grid, keys.x, xA ?? keys.x]);
  const own = (key: string | null): CurveEntry | null =>
    key === null || !areOnOneAxis(key, keys.curveB) ? null : onGrid(withKept(state, key, metric), grid);
  const both = finePair(results, keys.fullA, keys.fullB);
  const [fullA, fullB] = both ?? [];
  const isOneCurve = xA !== null && keys.curveA === keys.curveB;
  const place = (key: string, wanted: string, full: FullAnswer | null | undefined): CurveEntry | null => {
    const curve = own(key);
    if (key !== wanted) return withPoint(curve, keys.x, pointAt(results, wanted, keys.x));
    if (both && isOneCurve) return withFull(withFull(curve, keys.x, fullB, metric), xA, fullA, metric);
    return both ? withFull(curve, key === keys.curveA ? (xA ?? keys.x) : keys.x, full, metric) : curve;
  };
  const wanted = keys.family.map(({ curve }) => curve);
  const isKept = wanted.every((key) => state.kept?.curves[key] !== undefined);
  const family = (isKept ? wanted : shown.family).flatMap((key, i) => {
    const answers = own(key);
    const value = keys.family[i]?.value;
    return answers === null || value === undefined ? [] : [{ value, answers }];
  });
  return {
    curveA: place(shown.a ?? keys.curveA, keys.curveA, fullA),
    curveB: place(shown.b ?? keys.curveB, keys.curveB, fullB),
    family: keys.family.length === 0 ? [] : family,
  };
}

/** The points of a map, as far as they are in. */
function mapAnswers({ curves }: Results, { by, place, xs, rows }: MapKeys): NonNullable<AnalysisInput["map"]> {
  return {
    by, place, xs, rows: rows.map((row) => ({
      place: row.place, a: curves.get(row.curveA) ?? null, b: curves.get(row.curveB) ?? null,
      isCompared: row.curveA !== row.curveB,
    })),
  };
}

/** All that the page says of the present scenario stands, as precise as asked. */
function isSettled(state: AppState, keys: Keys): boolean {
  const { results, shown } = state;
  const hasCurves = state.view.view === "timeline" || (shown.a === keys.curveA && shown.b === keys.curveB);
  const isShown = hasCurves && shown.answered?.fullA === keys.fullA && shown.answered.fullB === keys.fullB;
  return isShown && finePair(results, keys.fullA, keys.fullB) !== null;
}

/** What stands on the page belongs to other values. */
function isBehind({ shown }: AppState, keys: Keys): boolean {
  return shown.answered !== null && (shown.answered.fullA !== keys.fullA || shown.answered.fullB !== keys.fullB);
}

/** The failure in words, for the title of the chart that keeps its last good answer. */
function failureOf(state: AppState): string | null {
  const { failure } = state;
  if (failure === null) return null;
  const { code, message } = failure.error;
  return code === "trap" ? "The run stopped with a fault in the simulation." : message;
}

const valuesOfPair = memoLast(
  (catalogue: AppState["catalogue"], preset: string, base: Pair["base"], ghost: Pair["ghost"]) => {
    const pair = { preset, base, ghost };
    return [valuesOf(catalogue, pair, "A"), valuesOf(catalogue, pair, "B")] as const;
  },
);

function inputOf(state: AppState): AnalysisInput {
  const { catalogue, view, results, shown } = state;
  const keys = keysOf(state);
  const pair: Pair = shown.answered?.pair ?? state;
  const [a, b] = valuesOfPair(catalogue, pair.preset, pair.base, pair.ghost);
  const answered = shown.answered ?? keys;
  const kept = keptFor(state, keys);
  // What was kept is whole: one side alone does not take its place.
  const [fullA, fullB] = kept === null ? bestPair(results, answered.fullA, answered.fullB) : [null, null];
  const curves = curvesOf(state, keys);
  const hinge = keys.hinge.map(({ value, curveA, curveB }) => ({
    value, a: pointAt(results, curveA, WHOLE), b: pointAt(results, curveB, WHOLE),
  }));
  const variants = keys.variants.map(({ label, curveA, curveB }) => ({
    label, a: pointAt(results, curveA, WHOLE), b: pointAt(results, curveB, WHOLE),
  }));
  const { map } = keys;
  const isCoarse = !isSettled(state, keys);
  return {
    ...curves, a, b, hinge, variants, map: map === null ? null : mapAnswers(results, map),
    areVariantsAsked: state.variantsOf === state.preset, fullA, fullB, isCoarse,
    preset: sideOf(catalogue, pair, "B").preset,
    knobs: catalogue.knobs,
    differs: differing(state, pair),
    moved: Object.keys(pair.base),
    xAxis: keys.axis,
    xHandle: keys.x,
    xBefore: state.inHand?.id === keys.axis.knob ? placeOn(keys.axis, state.inHand.before) : null,
    xA: placeOfA(state, pair, keys),
    isInHand: state.inHand !== null,
    metric: keys.metric,
    seed: view.seed,
    host: view.host,
    precisionAsked: precisionOf(state),
    progress: isCoarse ? (results.fulls.get(keys.fullB)?.progress ?? null) : null,
    failure: failureOf(state),
    refusal: state.isRefused ? view.linkError : null,
    isStopped: state.isStopped,
    areCurvesOver: areCurvesOver(state),
    kept,
    isBehind: state.inHand === null && isBehind(state, keys),
    measured: view.points,
    points: keys.axis.grid.length * (2 + keys.family.length),
    spentMs: spentMs([curves.curveA, curves.curveB, ...curves.family.map(({ answers }) => answers)], [fullA, fullB]),
  };
}

/** Only what the page shows is compared; a change of theme or title computes nothing. */
function pageParts(state: AppState): readonly unknown[] {
  const { catalogue, preset, base, ghost, view, inHand, results, shown, failure, budgetFactor } = state;
  return [
    catalogue, preset, base, ghost, view.y, view.x, view.by, view.points, view.view, view.seed, view.host, inHand,
    results, shown, failure, budgetFactor, state.kept, state.variantsOf, state.isRefused, state.isStopped,
    state.leftOut,
  ];
}

/** What the panels are worked out from. */
export const selectInput = memoOn(pageParts, inputOf);

export const selectPage = (state: AppState): PageModel => pageOf(selectInput(state));

/** Published figures beside the simulated ones, as far as their runs are in. */
export const selectFigures = memoOn(
  ({ catalogue, preset, published, texts }: AppState) => [catalogue, preset, published, texts],
  ({ catalogue, preset, published, texts }): FigureTable =>
    figureTable(texts.texts?.published ?? [], catalogue.presets, preset, published, published.asked),
);

/** A row for all and, where there are several parts, one for each; a knob of process kinds has none for all. */
export function rowKeys(state: AppState): string[] {
  const { scopes } = sideOf(state.catalogue, state, "B");
  return state.catalogue.knobs.filter((knob) => knob.group !== RUN).flatMap((knob) =>
    scopes.keysOf(knob).filter((key) => knob.name_scope !== "kind" || key !== knob.id),
  );
}

/** What is said of one part alone, by the preset or by either side. */
export function saidKeys(state: AppState): ReadonlySet<string> {
  const preset = presetOf(state.catalogue, state.preset);
  return new Set(
    [...Object.keys(preset.set), ...Object.keys(state.base), ...Object.keys(state.ghost)].filter((key) =>
      key.includes("@"),
    ),
  );
}

function announcementOf(state: AppState): string {
  const keys = keysOf(state);
  const point = pointAt(state.results, keys.curveB, keys.x);
  if (point === null) return "";
  const { mean } = readingOf(point, keys.metric.id) ?? { mean: Number.NaN };
  return Number.isNaN(mean) ? "" : formatQuantity(mean, keys.metric.unit);
}

function isMixedIn(values: readonly KnobValue[]): boolean {
  return values.some((value) => !sameValue(value, values[0] ?? value));
}

function hostOfKey({ scopes }: Scenario, knob: Knob, id: string): number | null {
  return scopes.preset.nodes < 2 || !/@(?:instance|node)\d/.test(id) ? null : scopes.full(knob, scopeOfKey(id)).node;
}

/** Groups of the knobs that a preset is about, what it sweeps, compares and joins, come before the others. */
function groupAt(catalogue: Catalogue, preset: Preset, group: string): number {
  const at = catalogue.groups.indexOf(group);
  const joins = Object.keys(preset.set).filter((key) => key === "interconnect");
  const isAsked = [preset.sweep.knob, ...Object.keys(preset.compare), ...joins]
    .some((key) => findKnob(catalogue, key)?.group === group);
  return isAsked ? at - catalogue.groups.length : at;
}

function knobRow(state: AppState, id: string, knob: Knob, announcement: string, said: ReadonlySet<string>): KnobRow {
  const { catalogue, inHand } = state;
  const [b, a] = [sideOf(catalogue, state, "B"), sideOf(catalogue, state, "A")];
  const [within, withinA] = [valuesWithin(b, knob, id), valuesWithin(a, knob, id)];
  const isMixed = isMixedIn(within) || isMixedIn(withinA);
  const [value, valueA] = isMixed ? [b.value(id), a.value(id)] : [within[0] ?? b.value(id), withinA[0] ?? a.value(id)];
  const defaultValue = b.standard(id);
  // Under the hand a slider keeps its ends.
  const { min, max } =
    inHand?.id === id
      ? sliderReach(catalogue, inHand.pair, knob, id)
      : sliderReach(catalogue, state, knob, id, [value, valueA]);
  return {
    id, knob, isMixed, host: hostOfKey(b, knob, id), group: knob.group,
    groupAt: groupAt(catalogue, presetOf(catalogue, state.preset), knob.group), min, max, value, valueA, defaultValue,
    announcement, before: inHand?.id === id ? inHand.before : null, isMoved: !sameValue(value, defaultValue),
    differs: within.some((one, i) => !sameValue(one, withinA[i] ?? one)), isSaid: said.has(id),
    acts: b.acts(id) || a.acts(id),
    isLocked: isLocked(state, id),
  };
}

function knobParts(state: AppState): readonly unknown[] {
  return [
    state.catalogue, state.preset, state.base, state.ghost, state.inHand, state.view.locked, state.view.held,
    announcementOf(state),
  ];
}

export const selectKnobs = memoOn(knobParts, (state: AppState): readonly KnobRow[] => {
  const announcement = announcementOf(state);
  const said = saidKeys(state);
  return rowKeys(state).flatMap((id) => {
    const knob = findKnob(state.catalogue, id);
    return knob === null ? [] : [knobRow(state, id, knob, announcement, said)];
  });
});

/** What the timeline is drawn from. */
export interface TimelineInput {
  readonly report: Report;
  readonly data: Float64Array;
  /** In the order in which a recording counts them. */
  readonly activities: readonly Activity[];
  /** How hardware threads stand in cores and sockets, host by host. */
  readonly shapes: readonly HostShape[];
  /** Of a scenario that was; the present one is under way. */
  readonly isStale: boolean;
}

/** The recording of the side that the timeline shows; null until there is one. */
export const timelineInput = memoOn(
  (state: AppState) => [state.catalogue, state.results.timeline, timelineKey(state, keysOf(state))],
  (state): TimelineInput | null => {
    const { timeline } = state.results;
    if (timeline === null) return null;
    const { report, data } = timeline.answer;
    const values = valuesOf(state.catalogue, state, state.view.timelineSide === "a" ? "A" : "B");
    return {
      report, data, activities: state.catalogue.activities, shapes: shapesOf(values),
      isStale: timeline.full !== timelineKey(state, keysOf(state)),
    };
  },
);

export const selectPresets = memoOn(
  (state: AppState) => [state.catalogue, state.preset, state.texts],
  (state): readonly PresetRow[] =>
    state.catalogue.presets.map(({ id, title }) => ({
      id, title, question: state.texts.texts?.questions[id], isChosen: id === state.preset,
    })),
);

/** Hosts of B. */
export function selectHostCount(state: AppState): number {
  return sideOf(state.catalogue, state, "B").preset.nodes;
}

export function selectLink(state: AppState): string {
  return encodeLink(state.catalogue, state);
}

const plainTimeline = { timelineSide: plainView.timelineSide, follow: null, timelineWindow: null } as const;

/** To hand on: without the colours that this reader likes, and without what the timeline showed before. */
export function selectSharedLink(state: AppState): string {
  const { theme, palette } = plainView;
  const rest = state.view.view === "timeline" ? {} : plainTimeline;
  return encodeLink(state.catalogue, { ...state, view: { ...state.view, ...rest, theme, palette } });
}

function shellWord(text: string): string {
  return /^[\w@.,:/=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same figures from the command line: B (or A) with seed and precision. */
export function selectCommandLine(state: AppState, side: "A" | "B" = "B"): string {
  const preset = presetOf(state.catalogue, state.preset);
  const budget = budgetOf(state);
  const { fullA, fullB, metric } = keysOf(state);
  const other = queryOfKey(side === "A" ? fullB : fullA);
  const layers = [state.base, ...(side === "A" ? [state.ghost] : []), budget === null ? {} : { max_events: budget }];
  const sets = new Scenario(state.catalogue, preset, layers).differences()
    .filter(([key]) => key !== "precision")
    .map(([key, value]) => `--set ${shellWord(`${key}=${textOf(value)}`)}`);
  return [
    "npm run -s sim -- run", preset.id, ...sets, `--seed ${state.view.seed}`, `--precision ${precisionOf(state)}`,
    ...(CHEAP_METRICS.has(metric.id) ? [] : [`--figure ${metric.id}`]),
    // Side by side, for both have equal horizons on the page.
    ...(fullA === fullB ? [] : [`--against ${shellWord(other)}`]),
  ].join(" ");
}

export const selectCanUndo = (state: AppState): boolean => state.past.length > 0;
export const selectCanRedo = (state: AppState): boolean => state.future.length > 0;

/** Scenario and seed to copy into a report of a fault. */
export function selectFault(state: AppState): string | null {
  const { failure } = state;
  return failure === null
    ? null
    : `${failure.error.code}: ${failure.error.message}\nscenario ${failure.scenario}\nseed ${failure.seed}`;
}
