/** On how many hardware threads of its host the sessions of an instance may run. */
import type { KnobValue } from "../../engine";
import type { Values } from "./input";

/** How many numbers "0-3,5" names; all where it says so. */
function countIn(text: KnobValue | undefined, all: number): number {
  if (text === undefined || text === "all") return all;
  return String(text).split(",").reduce((sum, part) => {
    const [first = 0, last = first] = part.split("-").map(Number);
    return sum + last - first + 1;
  }, 0);
}

/** Of a knob of process kinds: what is said of the narrowest part that has the sessions of an instance. */
function ofSessions(values: Values, id: string, instance: number, node: number): KnobValue | undefined {
  const scopes = [
    `@session@instance${instance}`, `@session@node${node}`, "@session", `@instance${instance}`, `@node${node}`, "",
  ];
  return scopes.map((scope) => values[id + scope]).find((value) => value !== undefined);
}

/** `instance` and `node` count from 1; `threads` are those of the host. */
export function threadsAllowed(values: Values, instance: number, node: number, threads: number): number {
  const own = (id: string): KnobValue | undefined => values[`${id}@instance${instance}`] ?? values[id];
  const hard = own("affinity") === "hard" ? countIn(own("affinity_cpus"), threads) : threads;
  return Math.min(threads, hard, countIn(ofSessions(values, "cpus_allowed", instance, node), threads));
}
