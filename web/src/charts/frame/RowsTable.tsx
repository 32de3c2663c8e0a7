import { decimalsFor, formatFixed, NONE } from "../../units";
import type { Rows } from "../../ui/download";

/** Decimals for a column, so that its points stand under one another: what its largest number needs. */
function decimalsOf(rows: Rows["rows"], column: number): number {
  const numbers = rows.map((row) => row[column]).filter((value) => typeof value === "number");
  if (numbers.every((value) => Number.isInteger(value))) return 0;
  return Math.min(4, decimalsFor(Math.max(...numbers.map(Math.abs)), 4));
}

function shown(value: string | number | null, decimals: number): string {
  if (value === null) return NONE;
  return typeof value === "number" ? formatFixed(value, decimals) : value;
}

/** The numbers behind a chart. It can be scrolled by keyboard, so it can be focused. */
export function RowsTable({
  title, rows, height,
}: {
  readonly title: string;
  readonly rows: Rows;
  readonly height: number;
}) {
  const decimals = rows.columns.map((_, i) => decimalsOf(rows.rows, i));
  return (
    <div className="rows" style={{ height }} tabIndex={0} role="region" aria-label={`${title}, as a table`}>
      <table>
        <thead>
          <tr>
            {rows.columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.rows.map((row, i) => (
            <tr key={i}>
              {row.map((value, k) => (
                <td key={rows.columns[k] ?? k}>{shown(value, decimals[k] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
