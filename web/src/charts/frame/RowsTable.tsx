import { formatNumber, NONE } from "../../units";
import type { Rows } from "../../ui/download";

const shown = (value: string | number | null): string => (value === null ? NONE : typeof value === "number" ? (Number.isInteger(value) ? String(value) : formatNumber(value, 4)) : value);

/** The numbers behind a chart. It can be scrolled by keyboard, so it can be focused. */
export function RowsTable({ title, rows, height }: { readonly title: string; readonly rows: Rows; readonly height: number }) {
  return (
    <div className="rows" style={{ height }} tabIndex={0} role="region" aria-label={`${title}, as a table`}>
      <table>
        <thead>
          <tr>{rows.columns.map((name) => <th key={name} scope="col">{name}</th>)}</tr>
        </thead>
        <tbody>
          {rows.rows.map((row, i) => (
            <tr key={i}>{row.map((value, k) => <td key={rows.columns[k] ?? k}>{shown(value)}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
