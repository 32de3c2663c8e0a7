import { memo } from "react";
import type { TrustModel } from "../../analysis/types";

export interface TrustStripProps {
  readonly trust: TrustModel | null;
  readonly onLeavesOut: () => void;
  readonly onKeys: () => void;
}

/** Precision against asked, warm-up, seed, events, the laws, the cost here and on the machine. */
export const TrustStrip = memo(function TrustStrip({ trust, onLeavesOut, onKeys }: TrustStripProps) {
  return (
    <footer className="trust">
      {trust === null ? <span>Nothing has run yet</span> : <Figures trust={trust} />}
      <span className="spacer" />
      {trust === null || trust.cost === "" ? null : <span>{trust.cost}</span>}
      <button type="button" className="link" onClick={onKeys} title="Keys (?)">Keys</button>
      <button type="button" className="link" onClick={onLeavesOut}>What this model leaves out</button>
    </footer>
  );
});

function Figures({ trust }: { readonly trust: TrustModel }) {
  return (
    <>
      <span className={trust.precisionOk ? "" : "broken"}>Precision <b>{trust.precision}</b></span>
      <span>Warm-up <b>{trust.warmup}</b></span>
      <span>Seed <b>{trust.seed}</b></span>
      <span><b>{trust.events}</b></span>
      {trust.laws.map((law) => (
        <span key={law.name} className={law.ok ? "" : "broken"} title={`residual ${law.residual}`}>
          <span className={law.ok ? "check" : "broken"} aria-hidden="true">{law.ok ? "✓" : "✕"}</span>
          <span className="unseen">{law.ok ? "holds: " : "broken: "}</span> {law.name}{law.ok ? "" : ` misses by ${law.residual}`}
        </span>
      ))}
    </>
  );
}
