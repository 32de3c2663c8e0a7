import { memo } from "react";

export interface WorkLineProps {
  /** What is under way, in words, and how many runs of all are done. */
  readonly work: {
    readonly what: string;
    readonly done: number;
    readonly all: number;
    readonly isStopped: boolean;
  };
  readonly onStop: () => void;
  readonly onGoOn: () => void;
}

/** How far the runs are, and what stops them. It is not seen before they have taken a second. */
export const WorkLine = memo(function WorkLine({ work, onStop, onGoOn }: WorkLineProps) {
  const { what, done, all, isStopped } = work;
  return (
    <div className="work" data-stopped={isStopped || undefined}>
      <div role="group" aria-label="Runs under way">
        <span className="work-what">{isStopped ? "Stopped" : `Running ${what}`}: </span>
        <span>
          {done} of {all} {all === 1 ? "run" : "runs"}
        </span>
        <progress aria-label="Runs done" max={all} value={done} />
        <button type="button" onClick={isStopped ? onGoOn : onStop}>
          {isStopped ? "Go on" : "Stop"}
        </button>
      </div>
    </div>
  );
});
