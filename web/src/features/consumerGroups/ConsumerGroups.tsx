import { memo } from "react";
import type { ConsumerGroup } from "../../analysis/types";
import { decimalsFor, formatCount, formatFixed, formatIntervalOf } from "../../units";

export interface ConsumerGroupsProps {
  readonly rows: readonly ConsumerGroup[];
  readonly side: "A" | "B";
}

/** Events that stand in a row at most. */
const SHOWN = 2;

/** What the sessions of each consumer group do, on average, and what they wait for. */
export const ConsumerGroups = memo(function ConsumerGroups({ rows, side }: ConsumerGroupsProps) {
  const title = `Consumer groups of ${side}`;
  return (
    <section className="groups" aria-label={title}>
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            {["Group", "Sessions", "Ended a second", "Response, ms", "On a thread", "Run queue", "Waits, sessions"].map(
              (head) => <th key={head} scope="col">{head}</th>,
            )}
          </tr>
        </thead>
        <tbody>{rows.map((row) => <Row key={`${row.instance} ${row.name}`} row={row} />)}</tbody>
      </table>
    </section>
  );
});

function Row({ row }: { readonly row: ConsumerGroup }) {
  const waits = row.waits.slice(0, SHOWN).map(([event, sessions]) => `${event} ${formatFixed(sessions, 2)}`);
  return (
    <tr>
      <th scope="row">{row.instance === null ? row.name : `${row.instance}: ${row.name}`}</th>
      <td>{formatCount(row.sessions)}</td>
      <Mean value={row.perSecond} half={row.perSecondHalf} />
      <Mean value={row.response_ms} half={row.responseHalf_ms} />
      <td>{formatFixed(row.onThread, 2)}</td>
      <td>{formatFixed(row.runQueue, 2)}</td>
      <td>{waits.join(", ")}</td>
    </tr>
  );
}

function Mean({ value, half }: { readonly value: number | null; readonly half: number | null }) {
  if (value === null) return <td>none ended</td>;
  const decimals = decimalsFor(value);
  return (
    <td>
      {formatFixed(value, decimals)}
      <small>{formatIntervalOf(value, half, decimals)}</small>
    </td>
  );
}
