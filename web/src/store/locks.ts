/** Which knobs a link locks. */
import { findKnob } from "../engine";
import type { AppState } from "./state";
import { scopesOf } from "./values";

/** A locked knob is so in all its parts, and a locked part keeps what holds it from being moved as a whole. */
export function isLocked(state: AppState, id: string): boolean {
  const { catalogue, view } = state;
  const knob = findKnob(catalogue, id);
  const scopes = scopesOf(catalogue, state);
  return view.locked.some((key) => key === id || (knob !== null && scopes.areJoined(knob, key, id)));
}
