import type { TimelineInput } from "../../store";

export interface TimelinePanelProps {
  readonly input: TimelineInput | null;
  readonly side: "a" | "b";
  readonly follow: number | null;
  /** Simulated ms, from and to; null: the whole recording. */
  readonly window: readonly [number, number] | null;
  readonly nameA: string;
  readonly nameB: string;
  readonly isBusy: boolean;
  readonly isPhone: boolean;
  /** How threads stand in cores and sockets. */
  readonly threadsPerCore?: number;
  readonly threadsPerSocket?: number;
  readonly onSide: (side: "a" | "b") => void;
  readonly onFollow: (process: number | null) => void;
  readonly onWindow: (window: readonly [number, number] | null) => void;
}

export function TimelinePanel({ input }: TimelinePanelProps) {
  return <section className="timeline" aria-label="Timeline"><h1>Timeline</h1><p>{input === null ? "Nothing has run yet." : `${input.report.events} events`}</p></section>;
}
