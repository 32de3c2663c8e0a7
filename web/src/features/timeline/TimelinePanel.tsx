import type { Recording } from "../../analysis/timeline";

export interface TimelinePanelProps {
  /** Of the side shown; null while there is none. The same object for the same run: it is indexed once. */
  readonly recording: Recording | null;
  readonly side: "A" | "B";
  /** What the sides are called; null: that side is not there. */
  readonly names: { readonly A: string | null; readonly B: string | null };
  /** Number of the process to follow. */
  readonly follow: number | null;
  /** From and to, ms of simulated time; null: the whole recording. */
  readonly window: readonly [number, number] | null;
  /** Room for the whole panel, px. */
  readonly height: number;
  readonly isNarrow: boolean;
  readonly isFaded: boolean;
  readonly onSide: (side: "A" | "B") => void;
  readonly onFollow: (process: number | null) => void;
  /** After a gesture has come to rest. */
  readonly onWindow: (window: readonly [number, number] | null) => void;
}

export function TimelinePanel({ recording }: TimelinePanelProps) {
  return <section className="timeline">{recording === null ? "Nothing has been recorded yet." : null}</section>;
}
