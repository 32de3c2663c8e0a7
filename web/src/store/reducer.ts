/** (state, action) → state. Pure and total; what it cannot make sense of leaves the state as it is. */
import { assertNever } from "../base/assert";
import { findKnob, sketchOf, type KnobValue, type KnobValues } from "../engine";
import type { Action } from "./actions";
import { axisKeyOf } from "./axes";
import { isLocked, mayStandOnAxis } from "./locks";
import { withResults, type Results } from "./results";
import { isRunAction, runReduced } from "./runActions";
import { nothingShown, type AppState, type Place, type Shown } from "./state";
import { decodeLink, encodeLink, freshLink, MOST_SEED, plainView, type LinkState, type ViewState } from "./urlState";
import { isTextsAction, textsReduced } from "./texts";
import { asksForRuns, isPlace, isViewAction, viewed } from "./viewed";
import {
  coerce, presetOf, sameValue, scopesOf, sideOf, tidy, valueIn, valuesWithin, type Pair,
} from "./values";
import { keysOf, type Keys } from "./keys";
import { pointName } from "./wanted";

const MOST_PAST = 100;

const linkOf = (state: AppState): string => encodeLink(state.catalogue, state);
const placeOf = (state: AppState): Place => ({ link: linkOf(state), opening: state.opening });

/** A new scenario: what failed before no longer matters, the budget is the scenario's own again. */
function moved(state: AppState, change: Partial<AppState>): AppState {
  const shown = change.preset === undefined || change.preset === state.preset ? state.shown : nothingShown;
  const view = { ...state.view, linkError: null };
  const after: AppState = {
    ...state, failure: null, isRefused: false, leftOut: [], notice: null, budgetFactor: 1, linkOrigin: "edit", view,
    shown, isStopped: false, ...change,
  };
  // A host that is left out is not looked at any more.
  const isGone = (after.view.host ?? 1) > sideOf(after.catalogue, after, "B").preset.nodes;
  return isGone ? { ...after, view: { ...after.view, host: null } } : after;
}

/** Remembers where one was, so that undo leads there. */
function remembered(state: AppState, after: AppState, opening: number = state.opening): AppState {
  const before = placeOf(state);
  if (before.link === linkOf(after)) return after;
  return { ...after, past: [...after.past, before].slice(-MOST_PAST), future: [], opening };
}

/** An edit that is over, as one step from where the hand began. */
function done(state: AppState, pair: Pair, from: Pair = state): AppState {
  return remembered({ ...state, ...from }, moved(state, { ...pair, inHand: null }));
}

/** Whether a key speaks of a part of what another speaks of. */
function isPart(state: AppState, key: string, whole: string): boolean {
  const knob = findKnob(state.catalogue, whole);
  return knob !== null && scopesOf(state.catalogue, state).isWithin(knob, key, whole);
}

/** What is said of all parts at once holds for each of them. */
function withoutParts(state: AppState, values: KnobValues, id: string): KnobValues {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !isPart(state, key, id)));
}

/** What A has from B of a knob that B alone is about to leave. */
function pinned(state: AppState, id: string, from: Pair): KnobValues {
  const { catalogue, base, ghost } = state;
  if (Object.keys(ghost).some((key) => key === id || isPart(state, id, key))) return {};
  const parts = Object.keys(base).filter((key) => isPart(state, key, id));
  return Object.fromEntries([id, ...parts].map((key) => [key, valueIn(catalogue, from, "A", key)]));
}

/** Which side an edit touches: a knob in which A differs moves B alone, any other moves both. */
function edited(state: AppState, id: string, value: KnobValue, from: Pair): Pair {
  const { catalogue } = state;
  const preset = presetOf(catalogue, state.preset);
  if (state.view.side === "A")
    return { preset: preset.id, base: state.base, ghost: { ...withoutParts(state, state.ghost, id), [id]: value } };
  const ghost = state.view.side === "B" ? { ...state.ghost, ...pinned(state, id, from) } : state.ghost;
  const base = tidy(catalogue, preset, { ...withoutParts(state, state.base, id), [id]: value });
  return { preset: preset.id, base, ghost };
}

function pairOf(state: AppState): Pair {
  return { preset: state.preset, base: state.base, ghost: state.ghost };
}

function knobChanged(state: AppState, action: Extract<Action, { type: "knobChanged" }>): AppState {
  const knob = findKnob(state.catalogue, action.id);
  const value = knob === null ? null : coerce(knob, action.value);
  if (knob === null || value === null || isLocked(state, action.id)) return state;
  const isSameDrag = state.inHand?.id === action.id;
  const before = isSameDrag && state.inHand !== null ? state.inHand.pair : pairOf(state);
  const side = state.view.side === "A" ? "A" : "B";
  const had = valuesWithin(sideOf(state.catalogue, before, side), knob, action.id);
  // What one side has already makes no difference between the two, and is nothing to undo.
  const isAsBefore = state.view.side !== "both" && had.every((one) => sameValue(one, value));
  const pair = isAsBefore ? before : edited(state, action.id, value, before);
  if (action.phase === "drag") {
    const inHand = isSameDrag
      ? state.inHand
      : { id: action.id, before: valueIn(state.catalogue, state, side, action.id), pair: before };
    return moved(state, { ...pair, inHand });
  }
  return done(state, pair, before);
}

/** Whichever side the column turns. */
function repaired(state: AppState, { id, value: given, side }: Extract<Action, { type: "repaired" }>): AppState {
  const knob = findKnob(state.catalogue, id);
  const value = knob === null || isLocked(state, id) ? null : coerce(knob, given);
  if (value === null) return state;
  const turned: AppState = { ...state, view: { ...state.view, side } };
  const pair = edited(turned, id, value, pairOf(state));
  return done(state, pair);
}

function knobsSet(state: AppState, values: KnobValues): AppState {
  const at = (pair: Pair): AppState => ({ ...state, ...pair });
  let pair = pairOf(state);
  for (const [id, given] of Object.entries(values)) {
    const knob = findKnob(state.catalogue, id);
    const value = knob === null || isLocked(state, id) ? null : coerce(knob, given);
    if (value !== null) pair = edited(at(pair), id, value, pair);
  }
  return done(state, pair);
}

function travelled(state: AppState, direction: "undo" | "redo"): AppState {
  const from = direction === "undo" ? state.past : state.future;
  const to = from.at(-1);
  if (to === undefined) return state;
  const decoded = decodeLink(state.catalogue, to.link, keptView(state.view));
  if (!decoded.ok) return state;
  const { view, y, x, by, host, seed } = decoded.link.view;
  const here = placeOf(state);
  const rest = from.slice(0, -1);
  const stacks =
    direction === "undo"
      ? { past: rest, future: [...state.future, here] }
      : { past: [...state.past, here], future: rest };
  const { theme, palette } = state.view;
  // Where one looks is undone, not in which colours; words and locks leave with the link that brought them.
  const place =
    to.opening === state.opening
      ? { ...state.view, view, y, x, by, host, seed, linkError: null }
      : { ...decoded.link.view, theme, palette };
  return moved(state, { ...decoded.link, view: place, inHand: null, ...stacks, opening: to.opening });
}

/** What the page itself keeps when another link is opened: the reader's theme, not the former link's title. */
const keptView = ({ theme, palette, held }: ViewState): ViewState => ({ ...plainView, theme, palette, held });

const insteadOf = ({ catalogue, preset }: AppState): string => ` Shown instead: ${presetOf(catalogue, preset).title}.`;

const plainOf = ({ catalogue, preset, view }: AppState): LinkState => freshLink(catalogue, preset, view);

const isPlain = (state: AppState): boolean => encodeLink(state.catalogue, plainOf(state)) === linkOf(state);

function linkOpened(state: AppState, hash: string): AppState {
  const decoded = decodeLink(state.catalogue, hash, keptView(state.view));
  if (!decoded.ok) {
    const isNew = state.shown.answered === null && isPlain(state);
    const linkError = decoded.message + (isNew ? insteadOf(state) : " What was shown stays.");
    return { ...state, inHand: null, view: { ...state.view, linkError }, linkOrigin: "link" };
  }
  // What was refused before is asked anew: the reader of the link is told again.
  const attempt = state.isRefused ? state.attempt + 1 : state.attempt;
  const next = moved(state, { ...decoded.link, inHand: null, notice: decoded.notice, linkOrigin: "link", attempt });
  if (linkOf(state) === linkOf(next)) return next;
  // Undo would lead past what a frame holds.
  const { locked, areAxesLocked } = state.view.held;
  return locked.length > 0 || areAxesLocked
    ? { ...next, past: [], future: [] }
    : remembered(state, next, state.opening + 1);
}

/** Share of the sketch's points without which a curve does not replace the one before; one may fail. */
const DRAWABLE = 0.75;

/** Whether a curve has about its sketch, so that it may replace the one before. */
function isDrawable({ results, leftOut }: AppState, key: string, grid: readonly number[]): boolean {
  const entry = results.curves.get(key);
  const cannotBe = new Set(leftOut);
  const sketch = sketchOf(grid).filter((x) => leftOut.length === 0 || !cannotBe.has(pointName(key, x, true)));
  return (
    entry !== undefined
    && sketch.filter((x) => entry.coarse.has(x) || entry.fine.has(x)).length >= DRAWABLE * sketch.length
  );
}

function hasAnswer(results: Results, key: string): boolean {
  const entry = results.fulls.get(key);
  return entry !== undefined && (entry.coarse !== null || entry.fine !== null);
}

function answeredAfter(state: AppState, keys: Keys): Shown["answered"] {
  const { fullA, fullB } = keys;
  const { answered } = state.shown;
  if (!hasAnswer(state.results, fullA) || !hasAnswer(state.results, fullB)) return answered;
  const isSame =
    answered !== null
    && answered.fullA === fullA
    && answered.fullB === fullB
    && answered.pair.base === state.base
    && answered.pair.ghost === state.ghost;
  return isSame ? answered : { pair: pairOf(state), fullA, fullB };
}

function shownAfter(state: AppState): Shown {
  const keys = keysOf(state);
  const { shown } = state;
  const wanted = keys.family.map(({ curve }) => curve);
  const isSameFamily = wanted.length === shown.family.length && wanted.every((key, i) => key === shown.family[i]);
  const family = !isSameFamily && wanted.every((key) => isDrawable(state, key, keys.axis.grid)) ? wanted : shown.family;
  const a = isDrawable(state, keys.curveA, keys.axis.grid) ? keys.curveA : shown.a;
  const b = isDrawable(state, keys.curveB, keys.axis.grid) ? keys.curveB : shown.b;
  const answered = answeredAfter(state, keys);
  const isSame = a === shown.a && b === shown.b && family === shown.family && answered === shown.answered;
  return isSame ? shown : { a, b, family, answered };
}

function presetChosen(state: AppState, id: string): AppState {
  const fresh = freshLink(state.catalogue, id, { ...keptView(state.view), view: state.view.view });
  return remembered(state, moved(state, { ...fresh, inHand: null }), state.opening + 1);
}

/** What the preset has anyway is not said in the link. */
function axesChosen(state: AppState, action: Extract<Action, { type: "axesChosen" }>): AppState {
  const isHeld = [action.x, action.by].some((key) => typeof key === "string" && !mayStandOnAxis(state, key));
  if (state.view.held.areAxesLocked || isHeld) return state;
  const preset = presetOf(state.catalogue, state.preset);
  const view = viewed(state.view, action);
  const y = view.y === preset.metric ? null : view.y;
  const x = view.x === axisKeyOf(state.catalogue, state, null) ? null : view.x;
  const after: AppState = { ...state, linkOrigin: "edit", isStopped: false, view: { ...view, y, x } };
  return remembered(state, after);
}

function dropOverride(state: AppState, id: string): AppState {
  if (state.ghost[id] === undefined) return state;
  const ghost = Object.fromEntries(Object.entries(state.ghost).filter(([key]) => key !== id));
  return remembered(state, moved(state, { ghost }));
}

/** With an answer on the page, that stays; a page that has none yet opens the preset as it is. */
function scenarioRefused(state: AppState, message: string): AppState {
  if (state.shown.answered !== null || isPlain(state)) {
    return { ...state, isRefused: true, notice: null, view: { ...state.view, linkError: message } };
  }
  const told = message.replace(/([^.])$/, "$1.") + insteadOf(state);
  return { ...state, ...plainOf(state), inHand: null, notice: null, view: { ...state.view, linkError: told } };
}

function pointsFailed(
  state: AppState, { names, scenario, isRefused }: Extract<Action, { type: "pointsFailed" }>,
): AppState {
  const leftOut = [...new Set([...state.leftOut, ...names])];
  if (isRefused) return { ...state, leftOut };
  const what =
    leftOut.length === 1
      ? "One point of the curves failed and is"
      : `${leftOut.length} points of the curves failed and are`;
  return { ...state, leftOut, notice: `${what} left out: ${scenario}, seed ${state.view.seed}.` };
}

function cutSeed(seed: number): number {
  return Math.min(MOST_SEED, Math.max(0, Math.floor(seed) || 0));
}

function step(state: AppState, action: Action): AppState {
  if (action.type === "axesChosen") return axesChosen(state, action);
  if (isTextsAction(action)) return textsReduced(state, action);
  if (isRunAction(action)) return { ...state, ...runReduced(state, action) };
  if (isViewAction(action)) {
    const isStopped = state.isStopped && !asksForRuns(action);
    const after: AppState = { ...state, linkOrigin: "edit", isStopped, view: viewed(state.view, action) };
    return isPlace(action) ? remembered(state, after) : after;
  }
  switch (action.type) {
    case "knobChanged":
      return knobChanged(state, action);
    case "knobsSet":
      return knobsSet(state, action.values);
    case "repaired":
      return repaired(state, action);
    case "dragCancelled":
      return state.inHand === null ? state : moved(state, { ...state.inHand.pair, inHand: null });
    case "presetChosen":
      return presetChosen(state, action.preset);
    case "overrideDropped":
      return dropOverride(state, action.id);
    case "undo":
    case "redo":
      return travelled(state, action.type);
    case "reset":
      return presetChosen(state, state.preset);
    case "linkOpened":
      return linkOpened(state, action.hash);
    case "resultsArrived":
      return { ...state, results: withResults(state.results, action.items) };
    case "keptArrived":
      return { ...state, kept: action.kept };
    case "runFailed":
      return { ...state, failure: action.note };
    case "pointsFailed":
      return pointsFailed(state, action);
    case "scenarioRefused":
      return scenarioRefused(state, action.message);
    case "linkErrorDismissed":
      return { ...state, notice: null, view: { ...state.view, linkError: null } };
    case "seedChanged":
      return remembered(
        state, moved(state, { view: { ...state.view, linkError: null, seed: cutSeed(action.seed) } }),
      );
    default:
      return assertNever(action);
  }
}

export function reduce(state: AppState, action: Action): AppState {
  const next = step(state, action);
  if (next === state) return state;
  const shown = shownAfter(next);
  return shown === next.shown ? next : { ...next, shown };
}
