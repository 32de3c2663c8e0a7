import { memo } from "react";
import type { PageModel } from "../../analysis/types";
import { ActiveSessions } from "../../charts/activeSessions/ActiveSessions";
import { Spread } from "../../charts/spread/Spread";
import { Threads } from "../../charts/threads/Threads";
import { LineSample } from "../../ui/LineSample";

export interface MatrixProps {
  readonly a: PageModel["a"];
  readonly b: PageModel["b"];
  readonly titles: PageModel["titles"];
  readonly isHeld: boolean;
  readonly isFaded: boolean;
}

/** Rows are questions, columns are A and B. One pair of heads for all. */
export const Matrix = memo(function Matrix({ a, b, titles, isHeld, isFaded }: MatrixProps) {
  const sides = { a, b };
  return (
    <div className="matrix">
      <div className="heads">
        {a === null ? null : <span className="mute"><LineSample side="A" /><b>A</b> {a.name}</span>}
        {b === null ? null : <span className="accent"><LineSample side="B" /><b>B</b> {b.name}</span>}
      </div>
      <ActiveSessions title={titles.activeSessions} sides={sides} isHeld={isHeld} isFaded={isFaded} />
      <Threads title={titles.threads} sides={sides} isFaded={isFaded} />
      <Spread title={titles.spread} sides={sides} isHeld={isHeld} isFaded={isFaded} />
    </div>
  );
});
