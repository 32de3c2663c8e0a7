/** What a scenario says of itself, where one row of the ledger has several names. */
import type { Values } from "../../read/input";

/** Whether a knob has one of these words in any part or for any kind of process. */
export function hasWord(values: Values, knob: string, words: readonly string[]): boolean {
  return Object.entries(values).some(
    ([key, value]) => (key === knob || key.startsWith(`${knob}@`)) && words.includes(String(value)),
  );
}
