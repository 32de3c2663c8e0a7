import { useMemo, useState, type ReactNode } from "react";
import type { MapModel } from "../../analysis/types";
import type { Rows } from "../../ui/download";
import { useSize } from "../../ui/useSize";
import { ChartFrame } from "../frame/ChartFrame";
import { Reader } from "../frame/Reader";
import { cellAt, heightOf, layoutMap, placeAt, ROW, saidAt, type MapLayout } from "./layout";

export interface MapChartProps {
  readonly model: MapModel;
  readonly isFaded: boolean;
  readonly head?: ReactNode;
  /** Puts both knobs where a cell stands. */
  readonly onChoose: (index: number) => void;
}

export function rowsOf(model: MapModel): Rows {
  const { cells, xLabel, yLabel, isDifference, word, unit } = model;
  const shown = `${isDifference ? `${word}, B − A` : word}${unit === "" ? "" : ` (${unit})`}`;
  return {
    columns: [xLabel, yLabel, shown, "± 95 %"],
    rows: cells.map(({ value, ci95, isEndless }, i) => [
      ...placeAt(model, i).map((place) => place?.value ?? null), value ?? (isEndless ? "without bound" : null), ci95,
    ]),
  };
}

/** What two knobs do together: a cell for each pair of their values. */
export function MapChart({ model, isFaded, head, onChoose }: MapChartProps) {
  const [box, size] = useSize();
  const [index, setIndex] = useState<number | null>(null);
  const height = heightOf(model);
  const layout = useMemo(() => (size.width < 120 ? null : layoutMap(model, size.width)), [model, size.width]);
  const indexAt = (x: number, y: number): number =>
    layout === null ? 0 : cellAt(model, layout, x * size.width, y * height);
  return (
    <ChartFrame
      title={model.title} fileName={`${model.xLabel} and ${model.yLabel}`} height={height} isFaded={isFaded} head={head}
      rows={() => rowsOf(model)}
    >
      <div ref={box} style={{ height }}>
        <svg
          className="plot" width={size.width} height={height} viewBox={`0 0 ${size.width} ${height}`} aria-hidden="true"
        >
          {layout === null ? null : <Cells layout={layout} read={index} />}
          {layout === null ? null : <Names model={model} layout={layout} said={saidAt(model, index)} />}
        </svg>
        <Reader
          label={`${model.title}. Enter goes there`} count={model.cells.length} columns={model.xs.length} index={index}
          readout={saidAt(model, index)} onIndex={setIndex} indexAt={indexAt} onChoose={onChoose}
        />
      </div>
    </ChartFrame>
  );
}

function Cells({ layout, read }: { readonly layout: MapLayout; readonly read: number | null }) {
  const outline = (at: number | null, className: string) => {
    const cell = at === null ? undefined : layout.cells[at];
    return cell === undefined ? null : (
      <rect className={className} x={cell.x + 1} y={cell.y + 1} width={Math.max(0, cell.width - 3)} height={ROW - 3} />
    );
  };
  return (
    <g>
      {layout.cells.map((cell, i) => (
        <g key={i}>
          <rect className="cell-edge" x={cell.x} y={cell.y} width={Math.max(0, cell.width - 1)} height={ROW - 1} />
          {cell.strength === 0 ? null : (
            <rect
              className={cell.tint} x={cell.x} y={cell.y} width={Math.max(0, cell.width - 1)} height={ROW - 1}
              fillOpacity={cell.strength}
            />
          )}
          <text className={`middle${cell.isFirm ? " ink" : ""}`} x={cell.x + cell.width / 2} y={cell.y + ROW / 2 + 4}>
            {cell.text}
          </text>
        </g>
      ))}
      {outline(layout.here, "here")}
      {outline(read, "moment")}
    </g>
  );
}

interface NamesProps {
  readonly model: MapModel;
  readonly layout: MapLayout;
  readonly said: string;
}

function Names({ model, layout, said }: NamesProps) {
  const { left, bottom } = layout;
  return (
    <g>
      <text className="mono" x={0} y={12}>
        {model.yLabel}
      </text>
      {layout.rows.map(({ at, text }) => (
        <text key={at} className="mono end" x={left - 6} y={at + 4}>
          {text}
        </text>
      ))}
      {layout.columns.map(({ at, text }) => (
        <text key={at} className="mono middle" x={at} y={bottom + 15}>
          {text}
        </text>
      ))}
      <text className="mono end" x={left + layout.columnWidth * model.xs.length} y={bottom + 31}>
        {model.xLabel}
      </text>
      <text className="ink" x={0} y={bottom + 48}>
        {said}
      </text>
    </g>
  );
}
