import { memo, useMemo } from "react";
import { indexTimeline, type TimelineIndex } from "../../analysis/timeline/timeline";
import { recordedOf, recordingIn, type Recording } from "../../analysis/read/recording";
import { timelineFinding } from "../../analysis/timeline/words";
import { Timeline } from "../../charts/timeline/Timeline";
import type { TimelineInput } from "../../store";
import { Choice } from "../../ui/Choice";
import { HostChoice } from "../../ui/HostChoice";
import { useSize } from "../../ui/useSize";

export interface TimelinePanelProps {
  readonly input: TimelineInput | null;
  readonly side: "a" | "b";
  readonly follow: number | null;
  /** Simulated ms, from and to; null: the whole recording. */
  readonly window: readonly [number, number] | null;
  /** The host shown, counted from 1; null: all. */
  readonly host: number | null;
  readonly hosts: number;
  readonly nameA: string;
  readonly nameB: string;
  readonly isBusy: boolean;
  readonly isPhone: boolean;
  /** To the answer and its curve. */
  readonly onBack: () => void;
  readonly onSide: (side: "a" | "b") => void;
  readonly onHost: (host: number | null) => void;
  readonly onFollow: (process: number | null) => void;
  readonly onWindow: (window: readonly [number, number] | null) => void;
}

/** The measure is for whoever asks what it costs. */
function measured(recording: Recording): TimelineIndex {
  const start = performance.now();
  const index = indexTimeline(recording);
  performance.measure("timeline index", { start, detail: recording.process.length });
  return index;
}

/** Indexed once a recording and host. */
function useIndex(input: TimelineInput | null, host: number | null) {
  const { report, data, activities, shapes } = input ?? {};
  return useMemo(() => {
    if (report === undefined || data === undefined || activities === undefined || shapes === undefined) return null;
    const recording = recordingIn(report, data, activities, shapes);
    return recording === null ? null : measured(recordedOf(recording, host));
  }, [report, data, activities, shapes, host]);
}

/** The process table beside the lanes takes 264 px, and lanes want more than that. */
const NARROW_PX = 600;

export const TimelinePanel = memo(function TimelinePanel({
  input, side, host, hosts, follow, window, nameA, nameB, isBusy, isPhone, onBack, onSide, onHost, onFollow,
  onWindow,
}: TimelinePanelProps) {
  const index = useIndex(input, host);
  const shown = useMemo(() => {
    if (index === null || window === null) return null;
    const { fromMs, toMs } = index.recording;
    // A window of another recording shows nothing of this one.
    return window[0] < toMs && window[1] > fromMs ? window : null;
  }, [index, window]);
  const [box, { width }] = useSize();
  // Beside the knobs of a frame there may be as little room as on a phone.
  const isNarrow = isPhone || (width > 0 && width < NARROW_PX);
  // Of the whole run, where the recording is of its first.
  const grows = input?.report.services.some((row) => row.grows && (host === null || row.node === host)) ?? false;
  const finding = useMemo(() => {
    if (index === null) return "";
    const [from, to] = shown ?? [index.recording.fromMs, index.recording.toMs];
    return timelineFinding(index, from, to, grows);
  }, [index, shown, grows]);
  const head = useMemo(
    () => (
      <>
        <HostChoice of="Lanes of" host={host} hosts={hosts} onHost={onHost} />
        <Choice
          label="Side shown" face="fine" value={side}
          options={[
            { value: "a", label: `A ${nameA}` }, { value: "b", label: `B ${nameB}` },
          ]}
          onChange={(value) => onSide(value as "a" | "b")}
        />
      </>
    ),
    [side, host, hosts, nameA, nameB, onSide, onHost],
  );
  return (
    <section className="timeline" aria-label="Timeline" data-phone={isNarrow || undefined}>
      <button type="button" className="timeline-back" onClick={onBack}>‹ Back to the answer</button>
      <div ref={box}>
        <h1>{finding === "" ? "Who runs where" : finding}</h1>
      </div>
      {index === null ? (
        <p className="mute">{isBusy ? "The run is being recorded …" : "Nothing has been recorded."}</p>
      ) : (
        <Timeline
          index={index} follow={follow} window={shown} isNarrow={isNarrow} isFaded={input?.isStale ?? false} head={head}
          onFollow={onFollow} onWindow={onWindow}
        />
      )}
    </section>
  );
});
