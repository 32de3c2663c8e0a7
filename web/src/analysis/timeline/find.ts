/** Processes of a recording by what a reader types: a kind, a name, a number. */
import { kindName } from "./follow";
import type { TimelineIndex } from "./timeline";

/** Processes that did anything while it was recorded. */
export function seenIn({ own: { offset } }: TimelineIndex): readonly number[] {
  return Array.from({ length: Math.max(0, offset.length - 1) }, (_, process) => process).filter(
    (process) => offset[process] !== offset[process + 1],
  );
}

/** "lgwr", "session 17", "17": the kind, or the one; part of a name, all that have it. */
export function processesFor(index: TimelineIndex, text: string): readonly number[] {
  const wanted = text.trim().toLowerCase().replace(/\s+/g, " ");
  if (wanted === "") return [];
  const names = seenIn(index).map((process) => ({
    process, kind: kindName(index.recording, process).toLowerCase(), number: String(process),
  }));
  const one = names.find(({ kind, number }) => number === wanted || `${kind} ${number}` === wanted);
  if (one !== undefined) return [one.process];
  const ofKind = names.filter(({ kind }) => kind === wanted);
  const all = ofKind.length > 0 ? ofKind : names.filter(({ kind, number }) => `${kind} ${number}`.includes(wanted));
  return all.map(({ process }) => process);
}

/** The one after or before it in a list that begins again at its end; null: the list is empty. */
export function neighbourIn(found: readonly number[], process: number | null, by: 1 | -1): number | null {
  if (found.length === 0) return null;
  const here = process === null ? -1 : found.indexOf(process);
  const next = here < 0 ? (by > 0 ? 0 : found.length - 1) : (here + by + found.length) % found.length;
  return found[next] ?? null;
}

/** So many processes that each kind has its part: the first of each, one after another; in the order of numbers. */
export function someOfEach(index: TimelineIndex, most: number, followed: number | null): readonly number[] {
  const seen = seenIn(index);
  if (seen.length <= most) return seen;
  const { kind } = index.recording;
  const groups = new Map<number, number[]>();
  for (const process of seen) {
    const group = groups.get(kind[process] ?? 0) ?? [];
    groups.set(kind[process] ?? 0, group);
    group.push(process);
  }
  const taken = new Set<number>(followed !== null && seen.includes(followed) ? [followed] : []);
  for (let nth = 0; taken.size < most && nth < seen.length; nth++)
    for (const group of groups.values()) {
      const process = group[nth];
      if (process !== undefined && taken.size < most) taken.add(process);
    }
  return [...taken].toSorted((one, other) => one - other);
}
