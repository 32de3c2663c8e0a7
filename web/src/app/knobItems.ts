/**
 * Rows of the store as knobs of the column; a row that says the same keeps its object, so that only what changed is
 * painted.
 */
import type { KnobItem } from "../features/knobs/item";
import type { KnobRow } from "../store";

function itemOf(row: KnobRow, isPrincipal: boolean, turnsA: boolean): KnobItem {
  const { id, knob, min, max, value, valueA, defaultValue, announcement, ...same } = row;
  const [own, others] = turnsA ? [valueA, value] : [value, valueA];
  const part = /@((?:instance|node)\d+)/.exec(id)?.[1] ?? null;
  return {
    ...same, key: id, base: part === null ? id : id.slice(0, -part.length - 1), part, kind: knob.kind,
    unit: knob.kind === "choice" ? null : knob.unit, choices: knob.choices ?? [],
    range: { min, max, step: knob.step, scale: knob.scale ?? "linear", isWhole: knob.kind === "integer" },
    limits: { min: knob.min, max: knob.max },
    standard: defaultValue, status: knob.status ?? "constant", needsRestart: knob.restart ?? false,
    value: own, otherValue: others, other: turnsA ? "B" : "A",
    // What is read out is B's result.
    result: turnsA ? "" : announcement,
    isPrincipal,
  };
}

/** Alike in every field, and in all that a field holds. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const [all, others] = [Object.entries(one), Object.entries(other)];
  return all.length === others.length && all.every(([, value], i) => isSame(value, others[i]?.[1]));
}

/** Remembers its last answer: ask one of these per page. */
export function knobItems(): (
  rows: readonly KnobRow[], main: ReadonlySet<string>, held: string | null, turnsA?: boolean,
) => readonly KnobItem[] {
  let last = new Map<string, KnobItem>();
  let list: readonly KnobItem[] = [];
  return (rows, main, held, turnsA = false) => {
    const items = rows.map((row) => {
      const before = last.get(row.id);
      const fresh = itemOf(row, row.knob.front || main.has(row.id) || row.differs || row.isSaid, turnsA);
      // While one knob is in the hand the others keep the result they said last: nobody hears them now.
      const item =
        held !== null && held !== row.id && before !== undefined ? { ...fresh, result: before.result } : fresh;
      return before !== undefined && isSame(before, item) ? before : item;
    });
    last = new Map(items.map((item) => [item.key, item]));
    if (items.length !== list.length || items.some((item, i) => item !== list[i])) list = items;
    return list;
  };
}
