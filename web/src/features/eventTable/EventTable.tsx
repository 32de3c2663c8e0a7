import { memo } from "react";
import type { EventRow, EventTableModel } from "../../analysis/types";
import { EventBar } from "../../charts/eventBar/EventBar";
import { Signed } from "./Signed";
import { formatMean, formatMsColumn, NONE } from "../../units";
import { EventName } from "./EventName";
import { EventRowsNarrow } from "./EventRowsNarrow";

export interface EventTableProps {
  readonly model: EventTableModel;
  readonly isNarrow: boolean;
  readonly hasBars: boolean;
}

/** What a bar shows: nothing of a difference that may be none. */
const shownIn = (row: EventRow): number => (row.isSignificant ? row.difference : 0);

const sessions = (value: number | null): string => (value === null ? NONE : formatMean(value));

export const EventTable = memo(function EventTable({ model, isNarrow, hasBars }: EventTableProps) {
  const { title, rows, sum } = model;
  const largest = Math.max(0, ...rows.map((row) => Math.abs(shownIn(row))));
  return (
    <section className="events" aria-label={title}>
      <h2>{title}</h2>
      {isNarrow ? (
        <EventRowsNarrow rows={rows} />
      ) : (
        <table>
          <colgroup>
            <col />
            {[54, 68, 66, 52, 114, 86].slice(0, hasBars ? 6 : 5).map((width, i) => (
              <col key={i} style={{ width }} />
            ))}
          </colgroup>
          <Head hasBars={hasBars} />
          <tbody>
            {rows.map((row) => (
              <Row key={row.event} row={row} largest={hasBars ? largest : null} />
            ))}
          </tbody>
          <tfoot>
            <tr data-doubtful={!sum.isSignificant || undefined}>
              <th scope="row">Sum</th>
              <td colSpan={2} aria-hidden="true">
                {"\u00a0"}
              </td>
              <td className="was gap">{sessions(sum.aasA)}</td>
              <td>{sessions(sum.aasB)}</td>
              <td className="gap">
                <Signed {...sum} />
              </td>
              {hasBars ? <td aria-hidden="true">{"\u00a0"}</td> : null}
            </tr>
          </tfoot>
        </table>
      )}
    </section>
  );
});

function Head({ hasBars }: { readonly hasBars: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={2}>
          Top timed events, a wait with the run queue after it
        </th>
        <th scope="colgroup" colSpan={2}>
          each lasts
        </th>
        <th scope="colgroup" colSpan={2} className="gap">
          active sessions
        </th>
        <th scope="col" rowSpan={2} colSpan={hasBars ? 2 : 1} className="gap">
          {hasBars ? "B − A, sessions ±95 %" : "B − A ±95 %"}
        </th>
      </tr>
      <tr>
        <th scope="col">A</th>
        <th scope="col" className="accent">
          B
        </th>
        <th scope="col" className="gap">
          A
        </th>
        <th scope="col" className="accent">
          B
        </th>
      </tr>
    </thead>
  );
}

function Row({ row, largest }: { readonly row: EventRow; readonly largest: number | null }) {
  return (
    <tr data-doubtful={!row.isSignificant || undefined}>
      <th scope="row" title={`class ${row.class}`}>
        <EventName row={row} />
      </th>
      <td className="was">{formatMsColumn(row.meanMsA)}</td>
      <td>{formatMsColumn(row.meanMsB)}</td>
      <td className="was gap">{sessions(row.aasA)}</td>
      <td>{sessions(row.aasB)}</td>
      <td className="gap">
        <Signed {...row} />
      </td>
      {largest === null ? null : (
        <td className="bar-cell">
          <EventBar difference={shownIn(row)} largest={largest} waitClass={row.class} />
        </td>
      )}
    </tr>
  );
}
