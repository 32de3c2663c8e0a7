import { memo, useMemo } from "react";
import type { TimelineIndex } from "../../analysis/timeline/timeline";
import { allHosts } from "../../analysis/read/host";
import { threadName } from "../../analysis/read/recording";
import { depthAt } from "../../analysis/timeline/depth";
import { stayOf, type Stay, type Track } from "../../analysis/timeline/follow";
import { sumsOf } from "../../analysis/timeline/sums";
import { nameOf } from "../../analysis/timeline/words";
import { formatCount, formatFixed, formatMs, formatPercent, formatShort, NBSP } from "../../units";
import type { Cursor } from "./desk";

const exactly = (ms: number): string => `${formatFixed(ms, 3)}${NBSP}ms`;

function factsOf(stay: Stay): readonly (readonly [string, string])[] {
  return [
    ["from", exactly(stay.startMs)],
    ["for", formatMs(stay.lengthMs)],
    ...(stay.isRunning ? [["lost to the switch", formatMs(stay.lostMs)] as const] : []),
    ...(stay.delayMs === null ? [] : [["in the run queue before", formatMs(stay.delayMs)] as const]),
  ];
}

const whereOf = ({ recording }: TimelineIndex, stay: Stay): string =>
  stay.thread === null ? stay.what : `${stay.what} on ${threadName(recording, stay.thread)}`;

/** One line of the same, as it is said. */
export function saidOf(index: TimelineIndex, cursor: Cursor | null): string {
  if (cursor === null) return "";
  if (cursor.row < 0) return `nobody at ${exactly(cursor.ms)}`;
  const stay = stayOf(index, cursor.row);
  return `${nameOf(index, stay.process)}, ${whereOf(index, stay)}: ${factsOf(stay)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ")}`;
}

function Facts({ facts }: { readonly facts: readonly (readonly [string, string])[] }) {
  return <dl>{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

export interface ReadoutProps {
  readonly index: TimelineIndex;
  readonly track: Track | null;
  readonly cursor: Cursor | null;
  readonly from: number;
  readonly to: number;
  readonly isNarrow: boolean;
}

const HINT =
  "Wheel or pinch zooms, drag moves. Click a stay to follow its process. Keys: arrows go from stay to stay, + and − "
    + "zoom, Enter follows, [ and ] go along, T shows a table.";

/** Exact values under the cursor, and what the followed process did in the window. */
export function Readout({ index, track, cursor, from, to, isNarrow }: ReadoutProps) {
  const stay = cursor === null || cursor.row < 0 ? null : stayOf(index, cursor.row);
  const { kinds, threads, hosts } = index.recording;
  const all = allHosts(hosts.length);
  const taken = all === null ? "threads taken" : `threads taken, ${all}`;
  return (
    <div className="timeline-readout">
      {cursor === null ? (
        <p className="mute">{isNarrow ? "Pinch zooms, drag moves. Tap a stay to follow its process." : HINT}</p>
      ) : (
        <>
          <p>
            <b>{stay === null ? "Nobody here" : nameOf(index, stay.process)}</b>{" "}
            {stay === null ? "" : whereOf(index, stay)}
          </p>
          {stay === null ? null : <Facts facts={factsOf(stay)} />}
          <p className="mute">At {exactly(cursor.ms)}</p>
          <Facts
            facts={[
              [taken, `${depthAt(index.taken, cursor.ms)} of ${threads}`],
              ...(index.depth.cage.time.length === 0
                ? []
                : [["before the cage", String(depthAt(index.depth.cage, cursor.ms))] as const]),
              ...kinds
                .map((kind, k) => [`${kind} in run queue`, k, index.depth.steps[k]] as const)
                .flatMap(([name, , steps]) =>
                  steps === undefined || steps.time.length === 0
                    ? []
                    : [[name, String(depthAt(steps, cursor.ms))] as const],
                ),
            ]}
          />
        </>
      )}
      <Sums
        title={track === null ? "All processes" : nameOf(index, track.process)} isOne={track !== null}
        index={index} process={track?.process ?? null} from={from} to={to}
      />
    </div>
  );
}

/** What was done in the window, event by event: of the followed process, else of all. */
const Sums = memo(function Sums({
  title, isOne, index, process, from, to,
}: {
  readonly title: string;
  readonly isOne: boolean;
  readonly index: TimelineIndex;
  readonly process: number | null;
  readonly from: number;
  readonly to: number;
}) {
  const rows = useMemo(() => sumsOf(index, from, to, process), [index, from, to, process]);
  const all = rows.reduce((sum, { sumMs }) => sum + sumMs, 0);
  const meanOf = (mean: number) => (isOne ? formatPercent(mean * 100) : formatShort(Number(mean.toFixed(3))));
  return (
    <table className="timeline-sums">
      <caption><b className={isOne ? "accent" : ""}>{title}</b> in these {formatMs(to - from)}</caption>
      <thead>
        <tr>
          <th scope="col">{isOne ? "share" : "at once"}</th><th scope="col">in all</th><th scope="col">stays</th>
          <th scope="col">each</th>
        </tr>
      </thead>
      {rows.map((row) => (
        <tbody key={row.event}>
          <tr>
            <th colSpan={4} scope="rowgroup"><i className="swatch" data-class={row.class} /> {row.event}</th>
          </tr>
          <tr>
            <td><b>{meanOf(row.mean)}</b></td><td>{formatMs(row.sumMs)}</td><td>{formatCount(row.count)}</td>
            <td>{row.eachMs === null ? "–" : formatMs(row.eachMs)}</td>
          </tr>
        </tbody>
      ))}
      <tfoot>
        <tr>
          <td><b>{meanOf(all / (to - from))}</b></td><td>{formatMs(all)}</td>
          <td>{formatCount(rows.reduce((sum, { count }) => sum + count, 0))}</td><td>sum</td>
        </tr>
      </tfoot>
    </table>
  );
});
