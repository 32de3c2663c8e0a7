/** Named columns in a full answer. */
import type { FullAnswer } from "../engine";

/** The values of one column; empty where the answer has none. */
export function columnOf(answer: FullAnswer, key: string): Float64Array {
  const column = answer.report.columns.find((candidate) => candidate.key === key);
  if (column === undefined) return new Float64Array(0);
  return answer.data.subarray(column.offset, column.offset + column.length);
}
