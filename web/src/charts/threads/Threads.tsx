import { memo, useMemo, useState } from "react";
import { formatMs, millis } from "../../units";
import type { Rows } from "../../ui/download";
import { useSize } from "../../ui/useSize";
import { ChartFrame } from "../frame/ChartFrame";
import { Reader } from "../frame/Reader";
import { sidesOf, useSides, type Sides } from "../frame/sides";
import { textWidth } from "../frame/text";
import { busyAt, layoutSides, momentOf, PLACES, TO_CORES, type ThreadsLayout } from "./layout";

export interface ThreadsProps {
  readonly title: string;
  readonly sides: Sides;
  /** One of several, one beneath the other. */
  readonly isLow?: boolean;
  readonly isFaded: boolean;
}

const HEIGHTS = { one: 152, low: 112 };

function rowsOf(sides: Sides): Rows {
  return {
    columns: ["side", "thread", "from (ms)", "to (ms)", "lost at its start (ms)", "process"],
    rows: sidesOf(sides).flatMap(({ letter, model }) =>
      model.lanes.slices.map((s) => [letter, s.thread, s.startMs, s.endMs, s.debtMs, s.process]),
    ),
  };
}

export function Threads({ title, sides, isLow = false, isFaded }: ThreadsProps) {
  const height = isLow ? HEIGHTS.low : HEIGHTS.one;
  const [box, size] = useSize();
  const [index, setIndex] = useState<number | null>(null);
  const all = useSides(sides);
  const layouts = useMemo(
    () => (size.width < 80 ? [] : layoutSides(all.map(({ model }) => model.lanes), size.width, height)),
    [all, size.width, height],
  );
  /** Where the cursor stands on a side, in its own window, and what is seen there. */
  const readings = index === null
    ? []
    : all.map(({ model: { lanes } }) => {
        const at = momentOf(lanes, index);
        const now = busyAt(lanes, at);
        const taken = `${now.held} of ${lanes.threads} taken, ${now.useful} at work`;
        return { at, text: `${formatMs(millis(at))}: ${lanes.followed === null ? lanes.caption : taken}` };
      });
  const share = (x: number) => {
    const layout = layouts.find((one) => x * size.width <= one.column.right) ?? layouts.at(-1);
    return layout === undefined
      ? 0
      : Math.floor(
          Math.min(
            PLACES - 1, Math.max(0, (x * size.width - layout.column.left) / (layout.column.right - layout.column.left)
              * PLACES),
          ),
        );
  };
  return (
    <ChartFrame title={title} fileName="threads" height={height} isFaded={isFaded} rows={() => rowsOf(sides)}>
      <div ref={box} style={{ height }}>
        <svg
          className="plot" width={size.width} height={height} viewBox={`0 0 ${size.width} ${height}`} aria-hidden="true"
        >
          {layouts.map((layout, i) => (
            <Lanes
              key={all[i]?.letter} layout={layout} name={all[i]?.model.lanes.followedName ?? ""}
              caption={all[i]?.model.lanes.caption ?? ""}
              reading={readings[i]?.text ?? null}
              cursorX={readings[i] === undefined ? null : layout.toX(readings[i].at)}
            />
          ))}
        </svg>
        {all.length === 0 ? null : (
          <Reader
            label={title} count={PLACES} index={index} onIndex={setIndex} indexAt={share}
            readout={all.map(({ letter }, i) => `${letter} at ${readings[i]?.text ?? ""}`).join("; ")}
          />
        )}
      </div>
    </ChartFrame>
  );
}

/** "83 of 120 ms": a unit that is the same is said once. */
const briefly = (caption: string): string =>
  caption.replace(/^([\d.,]+)[\s\u00a0](ms|s|µs)( of [\d.,]+[\s\u00a0]\2,)/, "$1$3");

/** From the left of the square before a name to the name. */
const TO_NAME = 13;

/** Who is followed and how long it runs, in as many words as there is room for. */
function followedWords({ column }: ThreadsLayout, name: string, runs: string): readonly [string, string] {
  const [short = runs] = runs.split(",");
  const all = [[`one ${name}`, runs], [name, runs], [name, short]] as const;
  const fits = ([who, how]: readonly [string, string]): boolean =>
    TO_NAME + textWidth(`${who} `, "bold") + textWidth(how) <= column.right - column.left;
  return all.find(fits) ?? [name, ""];
}

/** Drawn, for not every face has a square. */
function Followed({ layout, name, caption }: Pick<LanesProps, "layout" | "name" | "caption">) {
  const [x, y] = [layout.column.left, layout.bottom + 33];
  const [who, how] = followedWords(layout, name, briefly(caption));
  return (
    <>
      <rect className="followed" x={x} y={y - 8} width={8} height={8} />
      <text x={x + TO_NAME} y={y}>
        <tspan className="ink bold">{who}</tspan> {how}
      </text>
    </>
  );
}

interface LanesProps {
  readonly layout: ThreadsLayout;
  readonly name: string;
  readonly caption: string;
  readonly reading: string | null;
  readonly cursorX: number | null;
}

const Lanes = memo(function Lanes({ layout, name, caption, reading, cursorX }: LanesProps) {
  return (
    <g>
      {layout.cores.map((label) => (
        <text key={label.text} className="end" x={layout.column.left - TO_CORES} y={label.y}>
          {label.text}
        </text>
      ))}
      {name === "" ? (
        <text x={layout.column.left} y={layout.bottom / 2}>
          {caption}
        </text>
      ) : null}
      <path className="slice" d={layout.others} />
      <path className="followed" d={layout.followed} />
      {layout.xTicks.map((tick) => (
        <text key={tick.text} className={tick.anchor} x={tick.at} y={layout.bottom + 14}>
          {tick.text}
        </text>
      ))}
      {cursorX === null ? null : <path className="cursor" d={`M${cursorX} 0V${layout.bottom}`} />}
      {reading === null ? (
        name === "" ? null : <Followed layout={layout} name={name} caption={caption} />
      ) : (
        <text className="ink" x={layout.column.left} y={layout.bottom + 33}>
          {reading}
        </text>
      )}
    </g>
  );
});
