import { useMemo, useState } from "react";
import { greatest, max, range } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { ActiveSessionsModel } from "../../analysis/types";
import { formatFixed, formatKnob, formatMs, millisFromSeconds, seconds } from "../../units";
import { useHeld } from "../../ui/useHeld";
import { useSize } from "../../ui/useSize";
import type { Rows } from "../../ui/download";
import { ChartFrame } from "../frame/ChartFrame";
import { columnsOf } from "../frame/columns";
import { Reader } from "../frame/Reader";
import { sidesOf, useSides, type Sides } from "../frame/sides";
import { bucketAt, endOf, hasEnded, layoutActiveSessions, type ActiveSessionsLayout } from "./layout";
import { SideBands } from "./SideBands";

export interface ActiveSessionsProps {
  readonly title: string;
  readonly sides: Sides;
  /** One of several, one beneath the other. */
  readonly isLow?: boolean;
  readonly isHeld: boolean;
  readonly isFaded: boolean;
}

const HEIGHTS = { one: 172, low: 124 };

/** The height scale's numbers; the CPU count is one of them, so its neighbours step aside. */
function heightTicks(yMax: number, line: number): readonly number[] {
  const step = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].find((s) => yMax / s <= 5) ?? 2048;
  const even = range(0, yMax + step / 1000, step);
  const steps = even.length > 1 ? even : [0, yMax];
  return [
    ...steps.filter((v) => v === line || Math.abs(v - line) > yMax * 0.09),
    ...(steps.includes(line) || line > yMax || line <= 0 ? [] : [line]),
  ];
}

function bucketText(model: ActiveSessionsModel, index: number): string {
  return model.layers.map((layer) => `${layer.label} ${formatFixed(layer.values[index] ?? 0, 1)}`).join(", ");
}

const bucketWords = (letter: string, model: ActiveSessionsModel, time: number): string =>
  `${letter} ${hasEnded(model, time) ? "has ended" : bucketText(model, bucketAt(model, time))}`;

/** Runs that end take times of their own; what is read goes as far as the last. */
const longestOf = (all: ReturnType<typeof sidesOf>): ActiveSessionsModel | undefined =>
  greatest(all, ({ model }) => endOf(model.activeSessions))?.model.activeSessions;

export function rowsOf(sides: Sides): Rows {
  const all = sidesOf(sides);
  const times = longestOf(all)?.timesS ?? [];
  return {
    columns: [
      "time (s)",
      ...all.flatMap(({ letter, model }) => model.activeSessions.layers.map((layer) => `${letter} ${layer.label}`)),
    ],
    rows: times.map((t) => [
      Number(t.toFixed(3)),
      ...all.flatMap(({ model: { activeSessions: model } }) =>
        model.layers.map(({ values }) => (hasEnded(model, t) ? null : (values[bucketAt(model, t)] ?? null)))),
    ]),
  };
}

export function ActiveSessions({ title, sides, isLow = false, isHeld, isFaded }: ActiveSessionsProps) {
  const height = isLow ? HEIGHTS.low : HEIGHTS.one;
  const [box, size] = useSize();
  const all = useSides(sides);
  const yMax = useHeld(isHeld, max(all, ({ model }) => model.activeSessions.yMax) ?? 1, Math.max);
  const [index, setIndex] = useState<number | null>(null);
  const layouts = useMemo(() => {
    const columns = columnsOf(size.width, Math.max(1, all.length));
    return size.width < 80
      ? []
      : all.map(({ model }, i) =>
          layoutActiveSessions(model.activeSessions, columns[i] ?? { left: 0, right: 1 }, height, yMax),
        );
  }, [all, size.width, height, yMax]);
  const longest = longestOf(all);
  const time = index === null ? null : (longest?.timesS[index] ?? null);
  const readout =
    time === null
      ? ""
      : `at ${formatMs(millisFromSeconds(seconds(time)))}: `
        + all.map(({ letter, model: { activeSessions } }) => bucketWords(letter, activeSessions, time)).join("; ");
  return (
    <ChartFrame title={title} fileName="active-sessions" height={height} isFaded={isFaded} rows={() => rowsOf(sides)}>
      <div ref={box} style={{ height }}>
        <svg
          className="plot" width={size.width} height={height} viewBox={`0 0 ${size.width} ${height}`} aria-hidden="true"
        >
          {longest === undefined ? null : <HeightAxis yMax={yMax} line={longest.cpuLine} height={height} />}
          {layouts.map((layout, i) => (
            <SideBands
              key={all[i]?.letter} layout={layout} {...cursorAt(all[i]?.model.activeSessions, layout, time)}
            />
          ))}
        </svg>
        {longest === undefined ? null : (
          <Reader
            label={title} count={longest.timesS.length} index={index} readout={readout} onIndex={setIndex}
            indexAt={(x) => bucketAt(longest, timeAt(layouts, x * size.width))}
          />
        )}
      </div>
    </ChartFrame>
  );
}

/** Nothing is read of a side that has ended by then. */
function cursorAt(model: ActiveSessionsModel | undefined, layout: ActiveSessionsLayout, time: number | null) {
  if (model === undefined || time === null || hasEnded(model, time)) return { cursorX: null, reading: null };
  const index = bucketAt(model, time);
  const reading = {
    time: formatMs(millisFromSeconds(seconds(time))),
    parts: model.layers.map((layer) => ({ class: layer.class, text: formatFixed(layer.values[index] ?? 0, 1) })),
  };
  return { cursorX: layout.toX(time), reading };
}

/** The time under the pointer, in whichever column it is. */
function timeAt(layouts: readonly ActiveSessionsLayout[], x: number): number {
  const layout = layouts.find((one) => x <= one.column.right) ?? layouts.at(-1);
  if (layout === undefined) return 0;
  return ((x - layout.column.left) / (layout.column.right - layout.column.left)) * layout.endS;
}

function HeightAxis({
  yMax, line, height,
}: {
  readonly yMax: number;
  readonly line: number;
  readonly height: number;
}) {
  const toY = scaleLinear([0, yMax], [height - 22, 4]);
  return (
    <g>
      {heightTicks(yMax, line).map((v) => (
        <text key={v} className={v === line ? "end ink" : "end"} x={18} y={toY(v) + 4}>
          {formatKnob(v)}
        </text>
      ))}
    </g>
  );
}
