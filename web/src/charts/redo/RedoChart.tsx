import { useMemo, useState } from "react";
import type { RedoModel } from "../../analysis/types";
import type { Rows } from "../../ui/download";
import { useSize } from "../../ui/useSize";
import { formatShort } from "../../units";
import { ChartFrame } from "../frame/ChartFrame";
import { columnsOf } from "../frame/columns";
import { Reader } from "../frame/Reader";
import { HEIGHT, heightsOf, layoutRedo, readingAt, ROWS, type Letter, type RedoColumn, type RedoPart } from "./layout";
import { RedoSideView } from "./RedoSide";

export interface RedoChartProps {
  readonly model: RedoModel;
  readonly isFaded: boolean;
}

interface Side {
  readonly letter: Letter;
  readonly part: RedoPart;
}

function partsOf({ a, b }: RedoModel): readonly Side[] {
  return [...(a === null ? [] : [{ letter: "A" as const, part: a }]), { letter: "B" as const, part: b }];
}

export function rowsOf(parts: readonly Side[]): Rows {
  const bins = Math.max(0, ...parts.map(({ part }) => part.side.commitsPerS.length));
  const names = ["commits (1/s)", "commits a log write", "database writers (CPUs)"];
  const cells = ({ part: { side } }: Side, bin: number) => [
    side.commitsPerS[bin] ?? null, side.commitsPerWrite[bin] ?? null, side.writersCpus[bin] ?? null,
  ];
  return {
    columns: ["from (s)", ...parts.flatMap(({ letter }) => names.map((name) => `${letter} ${name}`))],
    rows: Array.from({ length: bins }, (_, bin) => [
      Number((bin * (parts[0]?.part.side.binS ?? 0)).toFixed(3)), ...parts.flatMap((side) => cells(side, bin)),
    ]),
  };
}

/** The place under the pointer, in whichever column it is. */
function binAt(columns: readonly RedoColumn[], x: number, bins: number): number {
  const under = columns.find((one) => x <= one.column.right) ?? columns.at(-1);
  const column = under?.column ?? { left: 0, right: 1 };
  const part = (x - column.left) / (column.right - column.left);
  return Math.max(0, Math.min(bins - 1, Math.floor(part * bins)));
}

/** Rate and stalls, the race for a free log, commits a write and the writers' CPU, of A beside B. */
export function RedoChart({ model, isFaded }: RedoChartProps) {
  const [box, size] = useSize();
  const [bin, setBin] = useState<number | null>(null);
  const parts = useMemo(() => partsOf(model), [model]);
  const heights = useMemo(() => heightsOf(parts.map(({ part }) => part.side)), [parts]);
  const columns = useMemo(() => {
    const places = columnsOf(size.width, parts.length);
    return size.width < 80
      ? []
      : parts.map(({ letter, part }, i) => layoutRedo(letter, part, places[i] ?? { left: 0, right: 1 }, heights));
  }, [parts, heights, size.width]);
  const bins = model.b.side.commitsPerS.length;
  const readings = bin === null ? null : parts.map(({ part }) => readingAt(part.side, bin));
  const readout =
    readings === null
      ? ""
      : readings
          .map((one, i) => {
            const rate = `${parts[i]?.letter}: ${one.rate} commits a second; checkpoint late by ${one.late}; `;
            return `${rate}${one.batch} commits a log write; writers ${one.writers} CPUs`;
          })
          .join(". ");
  return (
    <ChartFrame title={model.title} fileName="redo" height={HEIGHT} isFaded={isFaded} rows={() => rowsOf(parts)}>
      <div ref={box} style={{ height: HEIGHT }}>
        <svg
          className="plot" width={size.width} height={HEIGHT} viewBox={`0 0 ${size.width} ${HEIGHT}`} aria-hidden="true"
        >
          {columns.length === 0 ? null : <Scale heights={heights} />}
          {columns.map((column, i) => (
            <RedoSideView
              key={column.letter} column={column} reading={readings?.[i] ?? null} isFirst={i === 0}
              cursorX={bin === null ? null : column.toX((bin + 0.5) * (parts[i]?.part.side.binS ?? 0))}
            />
          ))}
        </svg>
        <Reader
          label={model.title} count={bins} index={bin} readout={readout} onIndex={setBin}
          indexAt={(x) => binAt(columns, x * size.width, bins)}
        />
      </div>
    </ChartFrame>
  );
}

/** The top of each row's scale. */
function Scale({ heights }: { readonly heights: ReturnType<typeof heightsOf> }) {
  return (
    <g>
      {(Object.keys(ROWS) as (keyof typeof ROWS)[]).map((row) => (
        <text key={row} className="end" x={20} y={ROWS[row].top + 5}>
          {heights[row] < 1000 ? formatShort(heights[row], 2) : `${formatShort(heights[row] / 1000, 2)} k`}
        </text>
      ))}
    </g>
  );
}
