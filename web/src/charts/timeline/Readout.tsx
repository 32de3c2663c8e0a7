import type { TimelineIndex } from "../../analysis/timeline/timeline";
import { allHosts } from "../../analysis/read/host";
import { threadName } from "../../analysis/read/recording";
import { depthAt } from "../../analysis/timeline/depth";
import { stayOf, type Stay, type Track } from "../../analysis/timeline/follow";
import { nameOf } from "../../analysis/timeline/words";
import { firstFrom } from "../../analysis/timeline/search";
import { formatFixed, formatMs, formatPercent, NBSP } from "../../units";
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

/** Shares of a window that the followed process spent in each activity. */
function sharesOf(
  index: TimelineIndex, track: Track, from: number, to: number,
): readonly { readonly event: string; readonly share: number }[] {
  const sums = index.recording.activities.map(() => 0);
  for (
    let i = firstFrom(track.end, from, 0, track.end.length);
    i < track.end.length && (track.start[i] as number) < to;
    i++
  ) {
    const a = track.activity[i] as number;
    sums[a] = (sums[a] ?? 0) + Math.min(to, track.end[i] as number) - Math.max(from, track.start[i] as number);
  }
  return sums.flatMap((ms, a) =>
    ms > 0 ? [{ event: index.recording.activities[a]?.event ?? "", share: ms / (to - from) }] : [],
  );
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
      {track === null ? null : (
        <>
          <p>
            <b className="accent">{nameOf(index, track.process)}</b> in these {formatMs(to - from)}
          </p>
          <Facts
            facts={sharesOf(index, track, from, to).map(({ event, share }) => [event, formatPercent(share * 100)])}
          />
        </>
      )}
    </div>
  );
}
