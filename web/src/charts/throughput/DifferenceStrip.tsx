import { memo } from "react";
import type { ThroughputLayout } from "./layout";

/** B − A in % of A or in the curve’s unit, on the same x: where a small effect can be seen. */
export const DifferenceStrip = memo(function DifferenceStrip({
  layout, unit, of,
}: {
  readonly layout: ThroughputLayout;
  readonly unit: string;
  /** What A is, where it stands still while B goes along the axis. */
  readonly of: string;
}) {
  const { frame, strip } = layout;
  if (strip === null) return null;
  return (
    <g>
      <text x={frame.left} y={frame.stripTop - 14}>
        <tspan className="bold ink">B − A</tspan> in {unit === "%" ? "% of A" : unit}{of}
      </text>
      {strip.ticks.map((tick) => (
        <g key={tick.text}>
          <path className={tick.text === "0" ? "axis" : "hair"} d={`M${frame.left} ${tick.at}H${frame.right}`} />
          <text className="end" x={frame.left - 8} y={tick.at + 4}>
            {tick.text}
          </text>
        </g>
      ))}
      <path className="gain" d={strip.gain} />
      <path className="loss" d={strip.loss} />
      <path className="doubt" d={strip.doubt} />
      <path className="difference" d={strip.line} />
      {strip.words.map((word) => (
        <text key={word.text} className={word.isB ? "middle acc" : "middle"} x={word.x} y={word.y}>
          {word.text}
        </text>
      ))}
      {strip.published.map(({ x, y, textX, text, anchor }) => (
        <g key={`${x} ${y}`}>
          <path className="cross" d={`M${x - 4} ${y - 4}l8 8m0 -8l-8 8`} />
          <text className={`ink halo ${anchor}`} x={textX} y={y + 4}>
            {text}
          </text>
        </g>
      ))}
      {strip.end === null ? null : (
        <text className="ink" x={frame.right + 8} y={strip.end.y}>
          {strip.end.text}
        </text>
      )}
      {strip.even.map((even) => (
        <g key={even.dot}>
          <circle className="dot-ink" cx={even.dot} cy={strip.zero} r={2.5} />
          <text className={`${even.anchor} halo`} x={even.x} y={even.y}>
            {even.text}
          </text>
        </g>
      ))}
    </g>
  );
});
