/** What the chart of redo over time says: stalls, how long and how often a log switch has one. */
import type { RedoTotals } from "../sides/types";
import { formatMs, formatShort } from "../../units";

/** Below so many stalls to a switch there are none worth the name; above the other there is one at each. */
const NEXT_TO_NONE = 0.005;
const NEARLY_ALL = 0.95;

const UNSEEN = "none seen (no log fills)";
const TITLES = new Map([
  ["none", "No log switch waits for a checkpoint"], [UNSEEN, "No log fills while it is watched, so no stall is seen"],
]);

/** "180 ms at every log switch", "70 ms at 3 of 10 log switches", "none". */
function stallsOf({ stallMs, stallsPerS, switchesPerS }: RedoTotals): string {
  if (stallMs.value === 0 && stallsPerS.value > 0) return "one that has not ended";
  if (switchesPerS.value === 0) return stallsPerS.value === 0 ? UNSEEN : formatMs(stallMs.value);
  const share = stallsPerS.value / switchesPerS.value;
  if (share < NEXT_TO_NONE) return "none";
  if (share >= NEARLY_ALL) return `${formatMs(stallMs.value)} at every switch`;
  const often = share >= 0.095 ? `${formatShort(10 * share, 1)} of 10` : `${formatShort(100 * share, 1)} of 100`;
  return `${formatMs(stallMs.value)} at ${often} switches`;
}

/** `wordB`: "in B", or what sets it apart; `isBeginning`: the first logs fill sooner or later than those after them. */
export function redoTitle(a: RedoTotals | null, b: RedoTotals, wordB: string, isBeginning = false): string {
  const now = stallsOf(b);
  const head = isBeginning ? "Stalls so far" : "Stalls";
  const same = TITLES.get(now);
  const none = same === undefined || !isBeginning ? same : `So far n${same.slice(1)}`;
  if (a === null) return none ?? `${head}: ${now}`;
  const was = stallsOf(a);
  if (was === now) return none ?? `${head}: ${now}, in A and in B`;
  return `${head}: ${was}, ${wordB} ${now.replace(/ at every switch$/, was.endsWith("every switch") ? "" : "$&")}`;
}
