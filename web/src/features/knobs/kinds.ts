/** Process kinds of a group of knobs, of which one is shown at a time. */
import type { KnobItem } from "./item";
import { acts, isFront, type KnobLine } from "./rows";

export interface Kind {
  readonly name: string;
  readonly own: readonly KnobLine[];
}

/** Undefined: a knob of no kind. */
export const kindOf = (item?: KnobItem): string | undefined => item?.base.split("@")[1];

/** In the order of their knobs; none where all knobs stand in front: a frame's few. */
export function kindsOf(lines: readonly KnobLine[]): readonly Kind[] {
  if (lines.every(({ item }) => item.isPrincipal)) return [];
  return [...new Set(lines.flatMap(({ item }) => kindOf(item) ?? []))].map((name) => ({
    name, own: lines.filter(({ item }) => kindOf(item) === name),
  }));
}

/** Whether any of its knobs can change something in this scenario. */
export const isThere = ({ own }: Kind): boolean => own.some(acts);

/** What is shown before one is picked: what was changed or the scenario turns on, else what is there. */
export const firstKind = (kinds: readonly Kind[]): string | undefined =>
  (kinds.find(({ own }) => own.some(isFront)) ?? kinds.find(isThere) ?? kinds[0])?.name;

/** The name, and how many knobs are not at their defaults or differ between A and B. */
export function kindLabel({ name, own }: Kind): string {
  const changed = own.filter(({ item, parts }) => [item, ...parts].some((one) => one.isMoved || one.differs)).length;
  return changed > 0 ? `${name} (${changed} changed)` : name;
}
