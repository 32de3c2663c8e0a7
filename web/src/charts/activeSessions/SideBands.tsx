import { memo } from "react";
import type { WaitClass } from "../../analysis/types";
import { isPale } from "../frame/pale";
import type { ActiveSessionsLayout, BandLabel } from "./layout";

export interface BandReading {
  readonly time: string;
  readonly parts: readonly { readonly class: WaitClass; readonly text: string }[];
}

export interface SideBandsProps {
  readonly layout: ActiveSessionsLayout;
  readonly cursorX: number | null;
  readonly reading: BandReading | null;
}

/** One column: bands, parted by a line of paper, the warm-up veiled, the CPU count dashed. */
export const SideBands = memo(function SideBands({ layout, cursorX, reading }: SideBandsProps) {
  const { column, baseline, warmupX } = layout;
  return (
    <g>
      {layout.bands.map((band) => (
        <g key={band.class} data-class={band.class}>
          <path className="class" d={band.path} />
          <path className={isPale(band.class) ? "rim" : "parting"} d={band.rim} />
        </g>
      ))}
      {warmupX > column.left ? (
        <>
          <rect
            className="veil" x={column.left} y={layout.top - 2} width={warmupX - column.left}
            height={baseline - layout.top + 2}
          />
          <path className="parting" d={`M${warmupX} ${layout.top - 2}V${baseline}`} />
        </>
      ) : null}
      {layout.limitY === null ? null : <Limit d={`M${column.left} ${layout.limitY}H${column.right}`} />}
      {layout.limitLabel === null ? null : (
        <text
          className={layout.limitLabel.class === null ? "end ink halo" : "end on"}
          {...(layout.limitLabel.class === null ? {} : { "data-class": layout.limitLabel.class })}
          x={layout.limitLabel.x} y={layout.limitLabel.y}
        >
          {layout.limitLabel.text}
        </text>
      )}
      {layout.labels.map((label) => (
        <Label key={label.class} label={label} right={column.right} />
      ))}
      {layout.left.map(({ x, y, text, title, anchor }) => (
        <g key={`${x} ${text}`} className="departure">
          <title>{title}</title>
          <path className="parting" d={`M${x} ${layout.top}V${baseline}`} />
          <path className="moment" d={`M${x} ${layout.top}V${baseline}`} />
          <text className={`${anchor} ink bold halo`} x={anchor === "start" ? x + 5 : x - 5} y={y}>
            {text}
          </text>
        </g>
      ))}
      <path className="axis" d={`M${column.left} ${baseline}H${column.right}`} />
      {cursorX === null ? null : <path className="cursor" d={`M${cursorX} ${layout.top}V${baseline}`} />}
      {reading === null ? (
        layout.xTicks.map((tick) => (
          <text key={tick.text} className={tick.anchor} x={tick.at} y={baseline + 16}>
            {tick.text}
          </text>
        ))
      ) : (
        <Reading reading={reading} x={column.left} y={baseline + 16} />
      )}
    </g>
  );
});

/** Dashes of ink in a line of paper: seen on any band, light or deep. */
function Limit({ d }: { readonly d: string }) {
  return (
    <>
      <path className="parting" d={d} />
      <path className="limit" d={d} />
    </>
  );
}

function Label({ label, right }: { readonly label: BandLabel; readonly right: number }) {
  if (!label.isInside) {
    return (
      <text className="end ink halo" x={right} y={label.y}>
        <tspan className={label.isMono ? "mono" : ""}>{label.lines.join(" ")}</tspan>{" "}
        <tspan className="bold">{label.value}</tspan>
      </text>
    );
  }
  if (label.isOneLine) {
    return (
      <text className="middle on" data-class={label.class} x={label.x} y={label.y}>
        <tspan className={label.isMono ? "mono" : ""}>{label.lines[0]}</tspan>{" "}
        <tspan className="bold">{label.value}</tspan>
      </text>
    );
  }
  const first = label.y - (label.lines.length * 17) / 2;
  return (
    <g data-class={label.class}>
      {label.lines.map((line, i) => (
        <text key={line} className={label.isMono ? "middle on mono" : "middle on"} x={label.x} y={first + i * 16}>
          {line}
        </text>
      ))}
      <text className="middle on bold" x={label.x} y={first + label.lines.length * 17}>
        {label.value}
      </text>
    </g>
  );
}

function Reading({ reading, x, y }: { readonly reading: BandReading; readonly x: number; readonly y: number }) {
  return (
    <text x={x} y={y}>
      {reading.time}
      {reading.parts.map((part) => (
        <tspan key={part.class} dx={7}>
          <tspan className="class" data-class={part.class}>■</tspan> <tspan className="ink bold">{part.text}</tspan>
        </tspan>
      ))}
    </text>
  );
}
