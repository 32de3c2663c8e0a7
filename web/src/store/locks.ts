/** Which knobs a link locks, or the frame that the page stands in. */
import { findKnob } from "../engine";
import type { AppState } from "./state";
import { scopesOf } from "./values";

/** A locked knob is so in all its parts, and a locked part keeps what holds it from being moved as a whole. */
export function isLocked(state: AppState, id: string): boolean {
  const { catalogue, view } = state;
  const knob = findKnob(catalogue, id);
  const scopes = scopesOf(catalogue, state);
  const all = [...view.locked, ...view.held.locked];
  return all.some((key) => key === id || (knob !== null && scopes.areJoined(knob, key, id)));
}

/** A locked knob is not varied by the axis either, unless it stands there by itself. */
export function mayStandOnAxis(state: AppState, id: string): boolean {
  return !state.view.held.areAxesLocked && !isLocked(state, id);
}
