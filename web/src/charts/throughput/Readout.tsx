import type { Stage } from "../../analysis/types";
import { noteOf, type Reading, type RunKind } from "./words";

/** The exact values at the cursor, on the line of the axis unit, so that nothing moves. */
export function ReadoutLine({
  reading, left, isFull,
}: {
  readonly reading: Reading;
  readonly left: number;
  readonly isFull: boolean;
}) {
  return (
    <div className="chart-readout" style={{ left }} aria-hidden="true">
      {reading.x}
      {reading.b === null ? null : (
        <span className="accent">
          : B <b>{reading.b}</b>
        </span>
      )}
      {reading.a === null ? null : (
        <span>
          , A <b>{reading.a}</b>
        </span>
      )}
      {reading.difference === null || !isFull ? null : (
        <span>
          , B − A <b>{reading.difference}</b>
        </span>
      )}
    </div>
  );
}

export function StageNote({
  stage, brokenLaw, onRun,
}: {
  readonly stage: Stage;
  readonly brokenLaw: string | null;
  readonly onRun: (kind: RunKind) => void;
}) {
  const note = noteOf(stage, brokenLaw);
  return (
    <div className="chart-note" role="status">
      {note === null ? null : (
        <span className={note.isAlarm ? "said alarm" : "said"} title={note.text}>
          {note.text}
        </span>
      )}
      {note?.actions.map((action) => (
        <span key={action.kind}>
          <button type="button" onClick={() => onRun(action.kind)}>
            {action.label}
          </button>
        </span>
      ))}
    </div>
  );
}
