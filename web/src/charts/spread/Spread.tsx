import { useState } from "react";
import type { SpreadModel } from "../../analysis/types";
import { formatFixed } from "../../units";
import type { Rows } from "../../ui/download";
import { useHeld } from "../../ui/useHeld";
import { useSize } from "../../ui/useSize";
import { ChartFrame } from "../frame/ChartFrame";
import { columnsOf, type Column } from "../frame/columns";
import { isPale } from "../frame/pale";
import { Reader } from "../frame/Reader";
import { sidesOf, useSides, type Sides } from "../frame/sides";
import {
  bucketsOf, layoutRow, LINE, powerName, powerTicks, powerX, pushedBy, sidesRange, type PowerRange, type SpreadRow,
} from "./layout";

export interface SpreadProps {
  readonly title: string;
  readonly sides: Sides;
  /** What the lower row counts. */
  readonly noun?: string;
  readonly isHeld: boolean;
  readonly isFaded: boolean;
}

const HEIGHT = 186;
const WAITS = { top: 0, height: 76 };
const RESPONSES = { top: 80, height: 86 };
/** Without waits on either side their row is left out. */
const WAITS_ROW = 80;

const shareAt = (model: SpreadModel | null, power: number): number =>
  model === null ? 0 : (bucketsOf(model).find((b) => b.power === power)?.share ?? 0);

function rowsOf(sides: Sides, range: PowerRange, noun: string): Rows {
  const all = sidesOf(sides);
  const powers = Array.from({ length: range.to - range.from }, (_, i) => range.from + i);
  return {
    columns: ["from (ms)", "to (ms)", ...all.flatMap(({ letter }) => [`${letter} waits (%)`, `${letter} ${noun} (%)`])],
    rows: powers.map((p) => [
      2 ** p, 2 ** (p + 1),
      ...all.flatMap(({ model }) => [shareAt(model.waitSpread, p) * 100, shareAt(model.responseSpread, p) * 100]),
    ]),
  };
}

export function Spread({ title, sides, noun = "transactions", isHeld, isFaded }: SpreadProps) {
  const [box, size] = useSize();
  const [index, setIndex] = useState<number | null>(null);
  const all = useSides(sides);
  const wanted = sidesRange(all.map((side) => side.model));
  const range = { from: useHeld(isHeld, wanted.from, Math.min), to: useHeld(isHeld, wanted.to, Math.max) };
  const hasWaits = all.some(({ model }) => model.waitSpread !== null);
  const columns = columnsOf(Math.max(80, size.width), Math.max(1, all.length));
  const up = hasWaits ? -pushedBy(all.map(({ model }) => model), columns) : WAITS_ROW;
  const height = HEIGHT - up;
  const power = index === null ? null : range.from + index;
  const said = (i: number): string => {
    const model = all[i]?.model;
    if (power === null || model === undefined) return "";
    const own = `${formatFixed(shareAt(model.responseSpread, power) * 100, 1)} %`;
    return hasWaits
      ? `waits ${formatFixed(shareAt(model.waitSpread, power) * 100, 1)} %, trans. ${own}`
      : `${noun} ${own}`;
  };
  const indexAt = (x: number) => {
    const column = columns.find((one) => x * size.width <= one.right) ?? columns.at(-1) ?? { left: 0, right: 1 };
    const part = (x * size.width - column.left) / (column.right - column.left);
    return Math.min(range.to - range.from - 1, Math.max(0, Math.floor(part * (range.to - range.from))));
  };
  const readout =
    power === null ? "" : `${powerName(power)}: ${all.map(({ letter }, i) => `${letter} ${said(i)}`).join("; ")}`;
  return (
    <ChartFrame
      title={title} fileName={`spread of ${noun}`} height={height} isFaded={isFaded}
      rows={() => rowsOf(sides, range, noun)}
    >
      <div ref={box} style={{ height }}>
        <svg
          className="plot" width={size.width} height={height} viewBox={`0 0 ${size.width} ${height}`} aria-hidden="true"
        >
          {size.width < 80
            ? null
            : all.map(({ letter, model }, i) => {
                const column = columns[i] ?? { left: 0, right: 1 };
                return (
                  <g key={letter} transform={up === 0 ? undefined : `translate(0 ${-up})`}>
                    {power === null ? null : (
                      <rect
                        className="cursor-box" x={powerX(power, range, column)} y={Math.max(0, up)}
                        width={powerX(power + 1, range, column) - powerX(power, range, column)}
                        height={166 - Math.max(0, up)}
                      />
                    )}
                    {model.waitSpread === null ? null : (
                      <Row row={layoutRow(model.waitSpread, column, WAITS, range)} column={column} />
                    )}
                    <Row row={layoutRow(model.responseSpread, column, RESPONSES, range)} column={column} />
                    <Foot range={range} column={column} reading={power === null ? null : said(i)} />
                  </g>
                );
              })}
        </svg>
        {all.length === 0 ? null : (
          <Reader
            label={title} count={range.to - range.from} index={index} readout={readout} onIndex={setIndex}
            indexAt={indexAt}
          />
        )}
      </div>
    </ChartFrame>
  );
}

function Row({ row, column }: { readonly row: SpreadRow; readonly column: Column }) {
  return (
    <g data-class={row.class}>
      {row.heading.lines.map((line, i, { length }) => (
        <text key={line} x={column.left} y={row.heading.y - LINE * (length - 1 - i)}>
          {line} {i < length - 1 ? null : <tspan className="bold ink">{row.heading.value}</tspan>}
        </text>
      ))}
      {row.bars.map((bar) => (
        <g key={bar.x}>
          <rect className="class" x={bar.x} y={bar.y} width={bar.width} height={bar.height} />
          {isPale(row.class) ? (
            <rect
              className="rim" x={bar.x + 0.5} y={bar.y + 0.5} width={Math.max(0, bar.width - 1)} height={bar.height}
            />
          ) : null}
          {bar.label === null ? null : (
            <text
              className="middle ink" x={Math.min(column.right - bar.label.length * 3.4, bar.x + bar.width / 2)}
              y={bar.y - 5}
            >
              {bar.label}
            </text>
          )}
        </g>
      ))}
      <path className="axis" d={`M${column.left} ${row.baseline}H${column.right}`} />
    </g>
  );
}

function Foot({
  range, column, reading,
}: {
  readonly range: PowerRange;
  readonly column: Column;
  readonly reading: string | null;
}) {
  if (reading !== null)
    return (
      <text className="ink" x={column.left} y={182}>
        {reading}
      </text>
    );
  return (
    <>
      {powerTicks(range, column).map((tick) => (
        <text key={tick.text} className={tick.anchor} x={tick.at} y={182}>
          {tick.text}
        </text>
      ))}
    </>
  );
}
