/** The matrix: rows are questions, columns are A and B on one scale. */

export const INSET = 24;
export const GUTTER = 16;

export interface Column {
  readonly left: number;
  readonly right: number;
}

/** One column when there is nothing to compare with. */
export function columnsOf(width: number, count: number, gutter = GUTTER): readonly Column[] {
  const each = (width - INSET - gutter * (count - 1)) / count;
  return Array.from({ length: count }, (_, i) => ({
    left: INSET + i * (each + gutter), right: INSET + i * (each + gutter) + each,
  }));
}
