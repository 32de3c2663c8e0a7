/** What the chart of redo over time says: stalls for a checkpoint, how long and how often, and switches themselves. */
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

/** What sessions wait for switches that no checkpoint holds up: empty where none does. */
function switchesOf(a: RedoTotals | null, b: RedoTotals, wordB: string): string {
  const of = (ms: number | null | undefined): string => (ms === null || ms === undefined ? "none" : formatMs(ms));
  const [was, now] = [of((a ?? b).switchMs), of(b.switchMs)];
  if (was === "none" && now === "none") return "";
  return `; each wait for a switch itself: ${was}${was === now ? "" : `, ${wordB} ${now}`}`;
}

/** `wordB`: "in B", or what sets it apart; `isBeginning`: the first logs fill sooner or later than those after them. */
export function redoTitle(a: RedoTotals | null, b: RedoTotals, wordB: string, isBeginning = false): string {
  return stallTitle(a, b, wordB, isBeginning) + switchesOf(a, b, wordB);
}

function stallTitle(a: RedoTotals | null, b: RedoTotals, wordB: string, isBeginning: boolean): string {
  const now = stallsOf(b);
  const head = `Stalls for a checkpoint${isBeginning ? " so far" : ""}`;
  const same = TITLES.get(now);
  const none = same === undefined || !isBeginning ? same : `So far n${same.slice(1)}`;
  if (a === null) return none ?? `${head}: ${now}`;
  const was = stallsOf(a);
  if (was === now) return none ?? `${head}: ${now}, in A and in B`;
  return `${head}: ${was}, ${wordB} ${now.replace(/ at every switch$/, was.endsWith("every switch") ? "" : "$&")}`;
}
