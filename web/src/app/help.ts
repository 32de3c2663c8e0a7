/** Words of knobs as far as they are here. */
import type { KnobHelp } from "../features/knobs/item";
import type { TextsState } from "../store";

export function helpIn({ kind, texts }: TextsState): KnobHelp {
  if (texts !== null) return texts.knobs;
  return kind === "failed" ? "failed" : "loading";
}
