import { formatShort, NONE } from "../../units";
import type { Rows } from "../../ui/download";

/** Each number with digits of its own: beside thousands a small one, or its interval, would be zero. */
function shown(value: string | number | null): string {
  if (value === null) return NONE;
  return typeof value === "number" ? formatShort(value, 4) : value;
}

/** The numbers behind a chart. It can be scrolled by keyboard, so it can be focused. */
export function RowsTable({
  title, rows, height,
}: {
  readonly title: string;
  readonly rows: Rows;
  readonly height: number;
}) {
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
                <td key={rows.columns[k] ?? k}>{shown(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
