import { memo } from "react";
import type { TrustModel } from "../../analysis/types";

export interface TrustStripProps {
  readonly trust: TrustModel | null;
  readonly onLeavesOut: () => void;
  readonly onKeys: () => void;
}

/** What the cost is of. */
const COST = "Computing all points of the chart here, and measuring as many on a real machine";

/** Precision against asked, warm-up, seed, events, the laws, the cost here and on the machine. */
export const TrustStrip = memo(function TrustStrip({ trust, onLeavesOut, onKeys }: TrustStripProps) {
  return (
    <footer className="trust">
      {trust === null ? null : <Figures trust={trust} />}
      <span className="spacer" />
      {trust === null || trust.cost === "" ? null : <span className="cost" title={COST}>{trust.cost}</span>}
      <button type="button" className="link" onClick={onKeys} title="Keys (?)">Keys</button>
      <button type="button" className="link" onClick={onLeavesOut}>What this model leaves out</button>
    </footer>
  );
});

function Figures({ trust }: { readonly trust: TrustModel }) {
  return (
    <>
      <span className={trust.precisionOk ? "" : "broken"}>
        Precision <b>{trust.precision}</b>
      </span>
      <span>
        Warm-up <b>{trust.warmup}</b>
      </span>
      <span>
        Seed <b>{trust.seed}</b>
      </span>
      <span>
        <b>{trust.events}</b>
      </span>
      {shownLaws(trust.laws).map((law) => (
        <span
          key={law.name} className={law.ok ? "" : "broken"}
          title={`${law.name}${law.residual === "" ? "" : `, residual ${law.residual}`}`}
        >
          <span className={law.ok ? "check" : "broken"} aria-hidden="true">
            {law.ok ? "✓" : "✕"}
          </span>
          <span className="unseen">{law.ok ? "holds: " : "broken: "}</span> {shortName(law.name)}
          {law.ok ? "" : ` misses by ${law.residual}`}
        </span>
      ))}
      {trust.laws.length > shownLaws(trust.laws).length ? (
        <span title={trust.laws.map((law) => law.name).join(", ")}>
          <span className="check" aria-hidden="true">
            ✓
          </span>{" "}
          {trust.laws.length - shownLaws(trust.laws).length} more
        </span>
      ) : null}
    </>
  );
}

type Laws = TrustModel["laws"];

/** Every law that is broken, and as many that hold as there is room for. */
function shownLaws(laws: Laws): Laws {
  const broken = laws.filter((law) => !law.ok);
  const room = Math.max(0, 3 - broken.length);
  return [
    ...broken,
    ...laws
      .filter((law) => law.ok)
      .toSorted((one, other) => one.name.length - other.name.length)
      .slice(0, room),
  ];
}

function shortName(name: string): string {
  const short = name.split(":")[0] ?? name;
  return short.charAt(0).toUpperCase() + short.slice(1).replace("'", "’");
}
