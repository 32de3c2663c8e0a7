import { barOf } from "./layout";

export interface EventBarProps {
  readonly difference: number;
  readonly largest: number;
  readonly waitClass: string;
}

/** The difference of one event, from zero in the middle. */
export function EventBar({ difference, largest, waitClass }: EventBarProps) {
  const bar = barOf(difference, largest);
  return (
    <svg className="plot" width={72} height={12} viewBox="0 0 72 12" aria-hidden="true">
      <path className="hair" d="M36 -7v26" />
      <g data-class={waitClass}>
        <rect className="class" x={bar.x} y={2} width={bar.width} height={8} />
        <rect className="rim" strokeWidth={0.5} x={bar.x} y={2} width={bar.width} height={8} />
      </g>
    </svg>
  );
}
