/** Places in sorted numbers. */

/** The first place from `low` below `high` whose number is at least `wanted`; `high` when there is none. */
export function firstFrom(sorted: Float64Array, wanted: number, low: number, high: number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The same, quick when the place is near `low`: a sweep from left to right costs what it finds, not what it passes. */
export function gallop(sorted: Float64Array, wanted: number, low: number, high: number): number {
  let reach = 1;
  while (low + reach < high && (sorted[low + reach] as number) < wanted) reach *= 2;
  return firstFrom(sorted, wanted, low + (reach >>> 1), Math.min(high, low + reach + 1));
}

/** Rows gathered by a small number, in their order: row `i` of group `g` stands at `offset[g] + i`. */
export interface Grouped {
  readonly offset: Int32Array;
  readonly row: Int32Array;
}

/** `groupOf` gives -1 for a row that belongs nowhere. */
export function groupRows(count: number, groups: number, groupOf: (row: number) => number): Grouped {
  const offset = new Int32Array(groups + 1);
  for (let i = 0; i < count; i++) {
    const group = groupOf(i);
    if (group >= 0) offset[group + 1] = (offset[group + 1] as number) + 1;
  }
  for (let g = 0; g < groups; g++) offset[g + 1] = (offset[g + 1] as number) + (offset[g] as number);
  const next = offset.slice();
  const row = new Int32Array(offset[groups] as number);
  for (let i = 0; i < count; i++) {
    const group = groupOf(i);
    if (group < 0) continue;
    row[next[group] as number] = i;
    next[group] = (next[group] as number) + 1;
  }
  return { offset, row };
}
