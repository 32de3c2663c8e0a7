/** Which knobs a link locks. */
import { findKnob } from "../engine";
import { Scopes } from "./scope";
import type { AppState } from "./state";
import { presetOf } from "./values";

/** A locked knob is so in all its parts, and a locked part keeps what holds it from being moved as a whole. */
export function isLocked({ catalogue, preset, view }: AppState, id: string): boolean {
  const knob = findKnob(catalogue, id);
  const scopes = new Scopes(catalogue, presetOf(catalogue, preset));
  return view.locked.some((key) => key === id || (knob !== null && scopes.areJoined(knob, key, id)));
}
