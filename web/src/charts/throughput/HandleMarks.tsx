import type { ThroughputLayout } from "./layout";
import type { Frame } from "./plane";

export interface HandleState {
  readonly isHovered: boolean;
  readonly isGrabbed: boolean;
  readonly isFocused: boolean;
  readonly isLocked: boolean;
}

/**
 * The present: ring on B, small ring on A, dot on the difference, one hairline through both plots, the number on the
 * axis.
 */
export function HandleMarks({ layout, state }: { readonly layout: ThroughputLayout; readonly state: HandleState }) {
  const { frame, handle } = layout;
  const y = handle.yB ?? frame.bottom;
  const r = frame.isCompact ? 10 : 7;
  const foot = frame.axisText - 14;
  return (
    <g>
      {handle.before === null ? null : <Before layout={layout} r={r} />}
      <path className="hairline" d={`M${handle.x} ${y}V${foot}`} />
      {handle.yA === null ? null : <circle className="ring-a" cx={handle.xA} cy={handle.yA} r={4} />}
      {state.isFocused ? <circle className="ring-focus" cx={handle.x} cy={y} r={r + 4} /> : null}
      {state.isLocked ? (
        <circle className="dot-ink" cx={handle.x} cy={y} r={4} />
      ) : (
        <circle className="ring" cx={handle.x} cy={y} r={r} data-grabbed={state.isGrabbed || undefined} />
      )}
      {state.isLocked ? null : (
        <path
          className="chevron" d={[-1, 1].map((way) => chevron(handle.x + way * (r + 7), y, way, frame)).join("")}
          strokeWidth={state.isHovered ? 2.5 : 1.5}
        />
      )}
      {handle.yDifference === null ? null : <circle className="dot-b" cx={handle.x} cy={handle.yDifference} r={4} />}
      {handle.labels.map((label) => (
        <text
          key={label.kind} className={`halo ${label.anchor} ${label.kind === "A" ? "" : "bold acc"}`} x={label.x}
          y={label.y}
        >
          {label.text}
          {label.suffix === "" ? null : <tspan className="regular"> {label.suffix}</tspan>}
        </text>
      ))}
      <rect
        className="pill" x={handle.x - handle.pillWidth / 2} y={foot} width={handle.pillWidth} height={20} rx={10}
      />
      <text className="pill-text" x={handle.x} y={frame.axisText}>
        {handle.text}
      </text>
    </g>
  );
}

/** None that would leave the plot: at the ends of the axis stand its figures, or there is no more screen. */
const chevron = (x: number, y: number, way: number, { left, right }: Frame): string =>
  x + 4 * way < left || x + 4 * way > right ? "" : `M${x} ${y - 4}l${4 * way} 4l${-4 * way} 4`;

function Before({ layout, r }: { readonly layout: ThroughputLayout; readonly r: number }) {
  const { frame, handle } = layout;
  if (handle.before === null) return null;
  const isClear = Math.abs(handle.before.x - handle.x) > handle.pillWidth / 2 + 24;
  return (
    <>
      <path className="before-line" d={`M${handle.before.x} ${handle.before.y}V${frame.axisText - 14}`} />
      <circle className="before" cx={handle.before.x} cy={handle.before.y} r={r} />
      {isClear ? <text className="middle" x={handle.before.x} y={frame.axisText}>{handle.before.text}</text> : null}
    </>
  );
}
