import { useCallback, useMemo, type ReactNode } from "react";
import type { TimelineIndex } from "../../analysis/timeline/timeline";
import { seenIn } from "../../analysis/timeline/find";
import { trackOf } from "../../analysis/timeline/follow";
import { stayColumns, staysIn, threadsTitle } from "../../analysis/timeline/words";
import { formatCount, formatMs } from "../../units";
import type { Rows } from "../../ui/download";
import { useSize } from "../../ui/useSize";
import { ChartFrame } from "../frame/ChartFrame";
import { readPalette } from "./desk";
import { frameOf } from "./frame";
import { Picker } from "./Picker";
import { Readout, saidOf } from "./Readout";
import { svgOf } from "./svg";
import { useTimeline } from "./useTimeline";

export interface TimelineProps {
  readonly index: TimelineIndex;
  readonly follow: number | null;
  readonly window: readonly [number, number] | null;
  readonly isNarrow: boolean;
  readonly isFaded: boolean;
  /** What stands beside the title: which side is shown. */
  readonly head: ReactNode;
  readonly onFollow: (process: number | null) => void;
  readonly onWindow: (window: readonly [number, number] | null) => void;
}

const MOST_ROWS = 2000;
/** Where the page scrolls anyway. */
const NARROW_ROOM = 640;

function rowsOf(index: TimelineIndex, from: number, to: number): Rows {
  const { rows, total } = staysIn(index, from, to, MOST_ROWS);
  const more = total - rows.length;
  const columns = stayColumns(index);
  return {
    columns,
    rows:
      more === 0
        ? rows
        : [...rows, [null, `${formatCount(more)} more: zoom in`, ...columns.slice(2).map(() => null)]],
  };
}

export function Timeline({ index, follow, window, isNarrow, isFaded, head, onFollow, onWindow }: TimelineProps) {
  const [box, size] = useSize();
  const { recording, own } = index;
  const isKnown = follow !== null && (own.offset[follow + 1] ?? 0) > (own.offset[follow] ?? 0);
  const track = useMemo(() => (isKnown ? trackOf(index, follow) : null), [index, follow, isKnown]);
  const frame = useMemo(
    () =>
      size.width < 120
        ? null
        : frameOf({
            width: size.width, room: isNarrow ? NARROW_ROOM : size.height, hosts: recording.hosts,
            isFollowing: track !== null, isNarrow, hasQueue: index.depth.most > 0, hasDelays: index.delays.most > 0,
            processes: seenIn(index).length,
            kinds: index.ran.map((kind) => recording.kinds[kind] ?? ""), left: recording.left.length,
          }),
    [size, recording, track, isNarrow, index],
  );
  const { desk, attach, cursor, handlers } = useTimeline({ index, track, frame, window, onWindow, onFollow });
  const [from, to] = window ?? [recording.fromMs, recording.toMs];
  const title = useMemo(() => threadsTitle(index, from, to), [index, from, to]);
  const drawing = useCallback(() => {
    const scene = desk.scene();
    return scene === null ? null : svgOf(scene, readPalette(), title);
  }, [desk, title]);
  const controls = (
    <span className="timeline-controls">
      {head}
      <Picker index={index} follow={follow} onFollow={onFollow} onFound={(process) => desk.seek(process)} />
      <span className="timeline-zoom" role="group" aria-label="Zoom">
        <button type="button" title="Zoom in (+)" onClick={() => desk.zoom(0.5)}>Zoom in</button>
        <button type="button" title="Zoom out (−)" onClick={() => desk.zoom(2)}>Zoom out</button>
        <button type="button" title="The whole recording (0)" onClick={() => desk.key("0")}>
          All {formatMs(Number((recording.toMs - recording.fromMs).toPrecision(2)))}
        </button>
      </span>
    </span>
  );
  const { onKeyDown, ...pointer } = handlers;
  return (
    <ChartFrame
      title={title} fileName="timeline" height={size.height} isFaded={isFaded} rows={() => rowsOf(index, from, to)}
      head={controls} drawing={drawing}
    >
      <div ref={box} className="timeline-stage">
        <div
          className="timeline-canvas" role="application" tabIndex={0} aria-roledescription="timeline"
          onKeyDown={onKeyDown}
          aria-label={`${title}. Arrow keys go from stay to stay, plus and minus zoom, Enter follows a process, T `
            + `shows a table.`}
        >
          <canvas ref={attach} style={{ width: frame?.width ?? 0, height: frame?.height ?? 0 }} {...pointer} />
          <span className="unseen" aria-live="polite">
            {cursor?.isKeyed ? saidOf(index, cursor) : ""}
          </span>
        </div>
        <div
          className="timeline-aside"
          style={
            frame === null || isNarrow
              ? {}
              : {
                  top: frame.lanes.y,
                  maxHeight: (frame.delay.height > 0 ? frame.delay.y - 44 : frame.height) - frame.lanes.y,
                }
          }
        >
          <Readout index={index} track={track} cursor={cursor} from={from} to={to} isNarrow={isNarrow} />
        </div>
      </div>
    </ChartFrame>
  );
}
