import { useMemo, useState, type ReactNode } from "react";
import type { VariantsModel } from "../../analysis/types";
import type { Rows } from "../../ui/download";
import { useSize } from "../../ui/useSize";
import { formatFixed, formatHalfWidth } from "../../units";
import { ChartFrame } from "../frame/ChartFrame";
import { Reader } from "../frame/Reader";
import { heightOf, layoutVariants, rowHeight, type VariantMark, type VariantsLayout } from "./layout";

export interface VariantsChartProps {
  readonly model: VariantsModel;
  readonly isFaded: boolean;
  readonly head: ReactNode;
}

export function rowsOf({ rows, published }: VariantsModel): Rows {
  return {
    columns: ["what is changed", "A (transactions/s)", "B (transactions/s)", "A over B", "± 95 %"],
    rows: [
      ...rows.map(({ label, a, b, ratio, ci95 }) => [label, a, b, ratio, ci95]),
      ...published.map(({ ratio, label }) => [`published, ${label}`, null, null, ratio, null]),
    ],
  };
}

function saidAt({ rows }: VariantsModel, index: number | null): string {
  const row = index === null ? undefined : rows[index];
  if (row === undefined) return "";
  return row.ratio === null
    ? `${row.label}: not run yet`
    : `${row.label}: A over B ${formatFixed(row.ratio, 3)} ${formatHalfWidth(row.ci95, 3)}`;
}

/** Throughput of A over that of B, pair by pair, beside what is published. */
export function VariantsChart({ model, isFaded, head }: VariantsChartProps) {
  const [box, size] = useSize();
  const [index, setIndex] = useState<number | null>(null);
  const height = heightOf(model.rows.length, size.width);
  const layout = useMemo(() => (size.width < 120 ? null : layoutVariants(model, size.width)), [model, size.width]);
  const indexAt = (_: number, y: number): number =>
    Math.max(0, Math.min(model.rows.length - 1, Math.floor((y * height - (layout?.top ?? 0)) / rowHeight(size.width))));
  return (
    <ChartFrame
      title={model.title} fileName="where it could come from" height={height} isFaded={isFaded} head={head}
      rows={() => rowsOf(model)}
    >
      <div ref={box} style={{ height }}>
        <svg
          className="plot" width={size.width} height={height} viewBox={`0 0 ${size.width} ${height}`} aria-hidden="true"
        >
          {layout === null ? null : <Axis layout={layout} />}
          {layout?.rows.map((row, i) => (
            <Row key={row.label} row={row} layout={layout} isRead={i === index} />
          ))}
        </svg>
        <Reader
          label={model.title} count={model.rows.length} index={index} readout={saidAt(model, index)} onIndex={setIndex}
          indexAt={indexAt}
        />
      </div>
    </ChartFrame>
  );
}

export function Axis({ layout }: { readonly layout: VariantsLayout }) {
  const { top, bottom, left, right } = layout;
  return (
    <g>
      {layout.published.map((mark) => (
        <g key={mark.text}>
          <path className="bound" d={`M${mark.x} ${top - 4}V${bottom}`} />
          <text className={`${mark.anchor} ink`} x={mark.textX} y={top - 10}>
            {mark.text}
          </text>
        </g>
      ))}
      <path className="axis" d={`M${layout.evenX} ${top}V${bottom}M${left} ${bottom}H${right}`} />
      {layout.ticks.map((tick) => (
        <text key={tick.text} className="middle" x={tick.x} y={bottom + 14}>
          {tick.text}
        </text>
      ))}
      <text x={left} y={bottom + 29}>
        B does more
      </text>
      <text className="end" x={right} y={bottom + 29}>
        A does more
      </text>
    </g>
  );
}

interface RowProps {
  readonly row: VariantMark;
  readonly layout: VariantsLayout;
  readonly isRead: boolean;
}

function Row({ row, layout, isRead }: RowProps) {
  return (
    <g>
      <text className={`ink halo${isRead ? " bold" : ""}`} x={0} y={row.labelY}>
        {row.label}
      </text>
      {layout.ratesX === 0 ? null : (
        <text className="end" x={layout.ratesX} y={row.y + 4}>
          {row.rates}
        </text>
      )}
      {row.x === null ? null : (
        <>
          <path className="whisker-ink" d={`M${row.from} ${row.y}H${row.to}`} />
          <circle className="dot-ink" cx={row.x} cy={row.y} r={3.5} />
          {row.value === null ? null : (
            <text className={`ink halo${row.value.isRight ? "" : " end"}`} x={row.value.x} y={row.y + 4}>
              {row.value.text}
            </text>
          )}
        </>
      )}
    </g>
  );
}
