import { memo, useId } from "react";
import type { ThroughputLayout } from "./layout";

/** Axes, family, bound, A and B, published points and the names at the lines' ends. */
export const Plot = memo(function Plot({ layout, unit }: { readonly layout: ThroughputLayout; readonly unit: string }) {
  const { frame } = layout;
  const clip = useId();
  return (
    <g>
      <text x={0} y={10}>
        {unit}
      </text>
      <path className="axis" d={`M${frame.left} ${layout.zeroY}H${frame.right}`} />
      {layout.yTicks.map((tick) => (
        <g key={tick.text}>
          <path className="axis" d={`M${frame.left - 4} ${tick.at}h4`} />
          <text className="end" x={frame.left - 8} y={tick.at + 4}>
            {tick.text}
          </text>
        </g>
      ))}
      <path className="bound" d={layout.bound} />
      <clipPath id={clip}>
        <rect
          x={frame.left} y={frame.top - 2} width={frame.right - frame.left + 2} height={frame.bottom - frame.top + 4}
        />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        {layout.family.map((path, i) => (
          <path key={i} className="family" d={path} />
        ))}
      </g>
      {layout.familyLabels.map((label) => (
        <g key={label.text}>
          <text className="middle halo" x={label.x} y={label.y}>
            {label.text}
          </text>
          {label.name === null ? null : (
            <text className="mono halo" x={label.x + 9} y={label.y}>
              {label.name}
            </text>
          )}
        </g>
      ))}
      <path className="ghost" d={layout.lineA} />
      <path className="band" d={layout.bandB} />
      <path className="b" d={layout.lineB} />
      <path className="whisker" d={layout.whiskers} />
      {layout.dotsA.map((dot) => (
        <circle key={dot.x} className="ring-a" cx={dot.x} cy={dot.y} r={4} />
      ))}
      {layout.dotsB.map((dot) => (
        <circle key={dot.x} className="dot-b" cx={dot.x} cy={dot.y} r={layout.isOrdinal ? 4 : 3} />
      ))}
      {layout.walls.map((wall) => (
        <Wall key={wall.text} wall={wall} />
      ))}
      {layout.published.map((mark) => (
        <Cross key={`${mark.role} ${mark.x} ${mark.y}`} mark={mark} />
      ))}
      {layout.boundLabel === null ? null : (
        <text className="end halo" x={layout.boundLabel.x} y={layout.boundLabel.y}>
          {layout.boundLabel.text}
        </text>
      )}
      {layout.endLabels.map((label) => (
        <text key={label.side} className={label.side === "B" ? "acc" : ""} x={label.x} y={label.y}>
          <tspan className={label.side === "B" ? "bold acc" : "bold"}>{label.side}</tspan>
          {label.name === "" ? " " : ` ${label.name}: `}
          {label.value}
        </text>
      ))}
    </g>
  );
});

function Wall({ wall }: { readonly wall: ThroughputLayout["walls"][number] }) {
  return (
    <>
      <path className="wall" d={`M${wall.x} ${wall.top}V${wall.bottom}`} />
      <text className={`halo ${wall.anchor}`} x={wall.textX} y={wall.textY}>
        <title>Beyond, runs ended before they were as precise as asked.</title>
        {wall.text}
      </text>
    </>
  );
}

function Cross({ mark }: { readonly mark: ThroughputLayout["published"][number] }) {
  return (
    <g className={mark.hasMoved ? "elsewhere" : undefined}>
      {mark.role === "measured" ? (
        <circle className="own" cx={mark.x} cy={mark.y} r={4} />
      ) : (
        <path className="cross" d={`M${mark.x - 4} ${mark.y - 4}l8 8m0 -8l-8 8`} />
      )}
      {mark.label === null ? null : (
        <text className={`ink halo ${mark.label.anchor}`} x={mark.label.x} y={mark.label.y}>
          {mark.label.text}
        </text>
      )}
    </g>
  );
}
