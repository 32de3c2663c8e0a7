/** Every cause that has words. What has none is part of the rest. */
import type { PartCause } from "../../sides/ledger";
import { empty, limit, slot } from "./cage";
import { balance, binding, nothing, throttled } from "./idle";
import { beside, capacity, demand, runQueue, speed, unfinished, work } from "./load";
import { shared, siblings, turbo } from "./speed";
import { stall, sync } from "./redo";
import { migration, refill, switching } from "./switching";
import { latch, polling, wait } from "./waits";
import type { Words } from "./words";

const ALL: readonly Words[] = [
  refill, switching, migration, empty, limit, slot, siblings, turbo, shared, latch, polling, stall, sync, wait, balance,
  binding, throttled, nothing, beside, capacity, speed, demand, unfinished, runQueue, work,
];

export function wordsFor(cause: PartCause): Words | null {
  const own = ALL.find((words) => words.cause === cause);
  return own ?? (cause.startsWith("wait ") ? wait : null);
}
