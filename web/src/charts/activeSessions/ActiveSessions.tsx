import { useMemo, useState } from "react";
import { max, range } from "d3-array";
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
import { bucketAt, layoutActiveSessions, type ActiveSessionsLayout } from "./layout";
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
  `${letter} ${bucketText(model, bucketAt(model, time))}`;

function rowsOf(sides: Sides): Rows {
  const all = sidesOf(sides);
  const first = all[0]?.model.activeSessions;
  return {
    columns: [
      "time (s)",
      ...all.flatMap(({ letter, model }) => model.activeSessions.layers.map((layer) => `${letter} ${layer.label}`)),
    ],
    rows: (first?.timesS ?? []).map((t, i) => [
      Number(t.toFixed(3)),
      ...all.flatMap(({ model }) => model.activeSessions.layers.map((layer) => layer.values[i] ?? null)),
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
  const first = all[0]?.model.activeSessions;
  const time = index === null ? null : (first?.timesS[index] ?? null);
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
          {first === undefined ? null : <HeightAxis yMax={yMax} line={first.cpuLine} height={height} />}
          {layouts.map((layout, i) => (
            <SideBands
              key={all[i]?.letter} layout={layout} cursorX={time === null ? null : layout.toX(time)}
              reading={time === null ? null : readingOf(all[i]?.model.activeSessions, time)}
            />
          ))}
        </svg>
        {first === undefined ? null : (
          <Reader
            label={title} count={first.timesS.length} index={index} readout={readout} onIndex={setIndex}
            indexAt={(x) => timeIndex(layouts, x * size.width, first)}
          />
        )}
      </div>
    </ChartFrame>
  );
}

function readingOf(model: ActiveSessionsModel | undefined, time: number) {
  if (model === undefined) return null;
  const index = bucketAt(model, time);
  return {
    time: formatMs(millisFromSeconds(seconds(time))),
    parts: model.layers.map((layer) => ({ class: layer.class, text: formatFixed(layer.values[index] ?? 0, 1) })),
  };
}

/** The bucket under the pointer, in whichever column it is. */
function timeIndex(layouts: readonly ActiveSessionsLayout[], x: number, model: ActiveSessionsModel): number {
  const layout = layouts.find((one) => x <= one.column.right) ?? layouts.at(-1);
  if (layout === undefined) return 0;
  const endS = (model.timesS.at(-1) ?? 0) + model.bucketS;
  return bucketAt(model, ((x - layout.column.left) / (layout.column.right - layout.column.left)) * endS);
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
