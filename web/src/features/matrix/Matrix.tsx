import { memo } from "react";
import type { MatrixModel, SideModel } from "../../analysis/types";
import { ActiveSessions } from "../../charts/activeSessions/ActiveSessions";
import { Spread } from "../../charts/spread/Spread";
import { Threads } from "../../charts/threads/Threads";
import { HostChoice } from "../../ui/HostChoice";
import { LineSample } from "../../ui/LineSample";
import { SideName } from "../../ui/SideName";
import { Accounting } from "./Accounting";

export interface MatrixProps extends MatrixModel {
  /** The host looked at, counted from 1; null: all. */
  readonly host: number | null;
  readonly onHost: (host: number | null) => void;
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
export const Matrix = memo(function Matrix({
  a, b, hostCount, hosts, accounting, titles, host, isHeld, isFaded, onHost,
}: MatrixProps) {
  const isLow = hosts.length > 1;
  const sides = { a, b };
  const servers = { a: serving(a), b: serving(b) };
  return (
    <div className="matrix" data-hosts={isLow || undefined}>
      <HostChoice of="Charts of" host={host} hosts={hostCount} onHost={onHost} />
      <div className="heads">
        {([["A", a, "mute"], ["B", b, "accent"]] as const).map(([side, model, face]) => (model === null ? null : (
          <span key={side} className={face}>
            <LineSample side={side} />
            <b>{side}</b>
            <SideName text={model.name} />
          </span>
        )))}
      </div>
      {servers.b === null ? null : (
        <Spread title={titles.service} sides={servers} noun="answers" isHeld={isHeld} isFaded={isFaded} />
      )}
      {accounting?.isOpen ? <Accounting model={accounting} /> : null}
      {hosts.map((one) => (
        <ActiveSessions
          key={one.name} title={one.titles.activeSessions} sides={one} isLow={isLow} isHeld={isHeld} isFaded={isFaded}
        />
      ))}
      {hosts.map((one) => (
        <Threads key={one.name} title={one.titles.threads} sides={one} isLow={isLow} isFaded={isFaded} />
      ))}
      <Spread title={titles.spread} sides={sides} isHeld={isHeld} isFaded={isFaded} />
      {accounting === null || accounting.isOpen ? null : <Accounting model={accounting} />}
    </div>
  );
});
