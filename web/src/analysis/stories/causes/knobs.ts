/** What a scenario says of itself, where one row of the ledger has several names. */
import { everywhere, type Values } from "../../read/input";

/** Whether a knob is above a number in any of its parts. */
export function numbersAbove(values: Values, knob: string, limit: number): boolean {
  return everywhere(values, knob).some((value) => Number(value) > limit);
}

/** Whether a knob has one of these words in any part or for any kind of process. */
export function hasWord(values: Values, knob: string, words: readonly string[]): boolean {
  return Object.entries(values).some(
    ([key, value]) => (key === knob || key.startsWith(`${knob}@`)) && words.includes(String(value)),
  );
}
