/** Threads that stand idle for other reasons than a cage or a wait. */
import type { Report } from "../../../engine";
import { threadsAllowed } from "../../read/allowed";
import type { Values } from "../../read/input";
import { idleFor } from "../../read/ledger";
import { threadsText } from "../../read/names";
import type { Sentence } from "../types";
import { hasWord } from "./knobs";
import { bySides, moreThanA, onHost, ownNoun, threadCount, threadsIn, type Told, type Words } from "./words";

type IdleCause = "empty" | "balance" | "binding" | "throttled" | "nothing";

/** Threads idle for a cause. */
const idleIn = (report: Report, cause: IdleCause, { part }: Told): number =>
  idleFor(report, cause, part.node);

/** "none of 8 threads with no cage, 3.0 with cpu_count 8". */
export function idleSentences(told: Told, cause: IdleCause, why: string): readonly Sentence[] {
  // Of one scenario the shares say as much.
  if (told.a === null) return [];
  const count = (report: Report): string => threadCount(idleIn(report, cause, told));
  const threads = (report: Report): number => threadsIn(told, report);
  const of = (report: Report): string =>
    `${count(report)} of ${threadsText(threads(report))}`;
  return [bySides(told, `${why}${onHost(told)}: `, of, threads(told.a) === threads(told.b) ? count : of)];
}

const headlineOf = (cause: IdleCause, why: string) => (told: Told): string | null =>
  moreThanA(
    told, (report) => idleIn(report, cause, told), threadCount,
    (count) => `${count} of ${threadsText(threadsIn(told, told.b))} ${why}`,
  );

export const balance: Words = {
  cause: "balance", noun: ownNoun,
  sentences: (told) => idleSentences(told, "balance", "Idle while others have a queue"),
  headline: headlineOf("balance", "idle beside queues"),
};

/** Whether the sessions of every cage may run on fewer threads than it lets run: then the cage holds nobody back. */
function isNarrower({ input, a, b, part }: Told): boolean {
  const [values, report] = a !== null && part.points > 0 ? [input.a, a] : [input.b, b];
  const caged = report.instances.flatMap(({ slots }, i) => {
    const node = input.preset.instances[i] ?? 1;
    if (slots === null || (part.node !== null && part.node !== node)) return [];
    return [{ slots, allowed: threadsAllowed(values, i + 1, node, report.nodes[node - 1]?.threads ?? slots) }];
  });
  return caged.length > 0 && caged.every(({ slots, allowed }) => allowed < slots);
}

export const binding: Words = {
  cause: "binding", noun: ownNoun, before: (told) => (isNarrower(told) ? "limit" : null),
  sentences: (told) => idleSentences(told, "binding", "Idle where ready processes may not run"),
  headline: headlineOf("binding", "idle, out of bounds"),
};

/** Whether a group of an instance, or of a kind of process, has a limit. */
function hasQuota(values: Values): boolean {
  const isAbove = (knob: string): boolean =>
    Object.entries(values).some(([key, value]) => key.startsWith(knob) && Number(value) > 0);
  return hasWord(values, "cgroup", ["own"]) && isAbove("cpu_max_quota_ms")
    || isAbove("kind_cpu_weight") && isAbove("kind_cpu_max_quota_ms");
}

/** The ledger has one row for both limits; which of them a scenario says that it has: a class may go without saying. */
function limiter({ input: { a, b } }: Told): string {
  const isRealTime = [a, b].some((values) => hasWord(values, "class", ["FIFO", "RR", "RT"]));
  const limits = [...([a, b].some(hasQuota) ? ["cpu.max"] : []), ...(isRealTime ? ["the limit of real time"] : [])];
  return limits.join(" or ") || "CPU limits";
}

export const throttled: Words = {
  cause: "throttled", noun: (told) => `idle time from ${limiter(told)}`,
  sentences: (told) => idleSentences(told, "throttled", `Idle for ${limiter(told)}`),
  headline: (told) => headlineOf("throttled", `idle for ${limiter(told)}`)(told),
};

export const nothing: Words = {
  cause: "nothing", noun: ownNoun,
  sentences: (told) => idleSentences(told, "nothing", "Idle for lack of work"),
  headline: headlineOf("nothing", "idle for lack of work"),
};
