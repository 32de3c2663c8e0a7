import { useId, useState } from "react";
import type { Measured } from "../../analysis";
import { formatCount } from "../../units";
import { readCsv } from "./csv";
import { FitPoints, type FitPort } from "./FitPoints";

export interface PointsText {
  readonly text: string;
  readonly wrong: string;
  readonly leftOut: string;
  readonly onText: (text: string) => void;
}

/** A table is read as it comes in, whole or not at all. */
export function usePoints(onPoints: (points: Measured | null) => void): PointsText {
  const [state, setState] = useState({ text: "", wrong: "", leftOut: "" });
  const onText = (text: string): void => {
    const read = text.trim() === "" ? null : readCsv(text);
    if (read === null) return setState({ text, wrong: "", leftOut: "" });
    if ("wrong" in read) return setState({ text, wrong: read.wrong, leftOut: "" });
    const names = read.leftOut.map((name) => `“${name.slice(0, 30)}”`).join(", ");
    setState({ text, wrong: "", leftOut: names === "" ? "" : `Columns that are not read: ${names}.` });
    onPoints(read.measured);
  };
  return { ...state, onText };
}

/** `7 points, throughput_lio by sessions`, and where they are seen. */
function pointsText({ load, metrics, rows }: Measured, isOnCurve: boolean): string {
  const isOne = rows.length === 1;
  const count = `${formatCount(rows.length)} ${isOne ? "point" : "points"}`;
  const where = isOnCurve ? "as dots on the curve" : "not shown now: the axes of the curve are others";
  return `${count}, ${metrics.join(" and ")} by ${load}: ${where}. The link keeps ${isOne ? "it" : "them"}.`;
}

export interface PointsPasteProps {
  readonly typed: PointsText;
  readonly points: Measured | null;
  readonly isOnCurve: boolean;
  readonly onPoints: (points: Measured | null) => void;
  readonly fit: FitPort;
}

export function PointsPaste({ typed, points, isOnCurve, onPoints, fit }: PointsPasteProps) {
  const [id, why] = [useId(), useId()];
  const isWrong = typed.wrong !== "";
  const remove = () => {
    typed.onText("");
    onPoints(null);
  };
  return (
    <div className="host-paste">
      <label htmlFor={id}>
        A CSV, pasted or dropped. Its header names sessions or arrivals/s; transactions/s or LIO/s; response ms or
        response s.
      </label>
      <textarea
        id={id} rows={6} spellCheck={false} value={typed.text} aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? why : undefined} placeholder={"sessions;LIO/s;response ms\n16;8100000;121,5"}
        onChange={(event) => typed.onText(event.target.value)}
      />
      {isWrong ? (
        <p id={why} className="knob-wrong" role="alert">
          {typed.wrong}{points === null ? "" : " The points from before stay."}
        </p>
      ) : null}
      <div role="status">
        {points === null ? null : <p>{pointsText(points, isOnCurve)}</p>}
        {typed.leftOut === "" ? null : <p>{typed.leftOut}</p>}
      </div>
      {points === null ? null : <FitPoints port={fit} />}
      {points === null ? null : (
        <button type="button" className="link" onClick={remove}>
          Remove your points
        </button>
      )}
    </div>
  );
}
