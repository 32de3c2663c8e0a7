/** What would make a refused scenario run, where the refusal itself says what there is. */
import { memoOn } from "../base/memo";
import { findKnob } from "../engine";
import { isLocked } from "./locks";
import type { AppState } from "./state";
import { textOf } from "./readValue";
import { valueIn } from "./values";

export interface Repair {
  /** The knob whose value cannot be, with its part. */
  readonly key: string;
  /** Who has it. */
  readonly side: "A" | "B" | "both";
  /** What may stand there instead. */
  readonly words: readonly string[];
}

/** "A: class@service is FIFO, which Solaris does not have; it has TS, IA, FX, RT". */
const LISTED = /^(?:[AB]: )?(\S+) is (\S+), which \S+ does not have; it has ([\w, ]+)$/;

/** Null where nothing is refused, the refusal lists nothing, or the knob is locked. */
export const selectRepair = memoOn(
  (state: AppState) => [
    state.catalogue, state.preset, state.base, state.ghost, state.isRefused, state.view.linkError, state.view.locked,
    state.view.held,
  ],
  (state: AppState): Repair | null => {
    const [first = ""] = (state.view.linkError ?? "").split("\n");
    const [, key = "", value = "", list = ""] = (state.isRefused && LISTED.exec(first)) || [];
    const knob = findKnob(state.catalogue, key);
    if (knob === null || isLocked(state, key)) return null;
    const words = list.split(", ").filter((word) => knob.choices?.includes(word));
    const has = (side: "A" | "B"): boolean => textOf(valueIn(state.catalogue, state, side, key)) === value;
    const side = has("B") ? (has("A") ? "both" : "B") : has("A") ? "A" : null;
    return side === null || words.length === 0 ? null : { key, side, words };
  },
);
