import type { EventRow } from "../../analysis/types";
import { EventName } from "./EventName";
import { Signed } from "./Signed";
import { formatFixed, formatMsColumn } from "../../units";

function detail(row: EventRow): string {
  if (!row.isSignificant) return "no difference shown";
  const { meanMsA, meanMsB } = row;
  const each = meanMsA === null && meanMsB === null
    ? "" : `, ${formatMsColumn(meanMsA)} → ${formatMsColumn(meanMsB)} each`;
  return `${formatFixed(row.aasA ?? 0, 2)} → ${formatFixed(row.aasB ?? 0, 2)} active${each}`;
}

/** The table on a phone: two lines a row. */
export function EventRowsNarrow({ rows }: { readonly rows: readonly EventRow[] }) {
  return (
    <table>
      <thead className="unseen">
        <tr>
          <th scope="col">Event</th>
          <th scope="col">B − A, sessions</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.event} data-doubtful={!row.isSignificant || undefined}>
            <th scope="row">
              <EventName row={row} />
              <small>{detail(row)}</small>
            </th>
            <td>
              <Signed {...row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
