import { memo } from "react";
import type { MatrixModel, SideModel } from "../../analysis/types";
import { ActiveSessions } from "../../charts/activeSessions/ActiveSessions";
import { Spread } from "../../charts/spread/Spread";
import { Threads } from "../../charts/threads/Threads";
import { LineSample } from "../../ui/LineSample";
import { Accounting } from "./Accounting";

export interface MatrixProps extends MatrixModel {
  readonly isHeld: boolean;
  readonly isFaded: boolean;
}

/** The server's answers in place of the sessions' waits and transactions. */
function serving(side: SideModel | null): SideModel | null {
  return side === null || side.serviceSpread === null
    ? null
    : { ...side, waitSpread: null, responseSpread: side.serviceSpread };
}

/** Rows are questions, columns are A and B. One pair of heads for all. */
export const Matrix = memo(function Matrix({ a, b, accounting, titles, isHeld, isFaded }: MatrixProps) {
  const sides = { a, b };
  const servers = { a: serving(a), b: serving(b) };
  return (
    <div className="matrix">
      <div className="heads">
        {a === null ? null : (
          <span className="mute">
            <LineSample side="A" />
            <b>A</b> {a.name}
          </span>
        )}
        {b === null ? null : (
          <span className="accent">
            <LineSample side="B" />
            <b>B</b> {b.name}
          </span>
        )}
      </div>
      {servers.b === null ? null : (
        <Spread title={titles.service} sides={servers} noun="answers" isHeld={isHeld} isFaded={isFaded} />
      )}
      {accounting?.isOpen ? <Accounting model={accounting} /> : null}
      <ActiveSessions title={titles.activeSessions} sides={sides} isHeld={isHeld} isFaded={isFaded} />
      <Threads title={titles.threads} sides={sides} isFaded={isFaded} />
      <Spread title={titles.spread} sides={sides} isHeld={isHeld} isFaded={isFaded} />
      {accounting === null || accounting.isOpen ? null : <Accounting model={accounting} />}
    </div>
  );
});
