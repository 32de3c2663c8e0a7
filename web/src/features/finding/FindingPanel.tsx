import { memo, type ReactNode } from "react";
import type { Finding } from "../../analysis/types";
import { Spans } from "../../charts/frame/Spans";

/** Characters from which a headline would take a third line at full size, in the widest of the fonts that stand in. */
const LONG = 90;

/** What changed, and why. Heights are held, so that a new sentence moves nothing below. */
export const FindingPanel = memo(function FindingPanel({
  finding, waiting, isSaid, advice, hasHinge,
}: {
  readonly finding: Finding;
  /** What is said before there is one. */
  readonly waiting: string;
  /** It stands, and is said aloud: drafts are not. */
  readonly isSaid: boolean;
  readonly advice: ReactNode;
  /** The question is for which value of an assumption the answer turns: advice is likely to come, its place is kept. */
  readonly hasHinge: boolean;
}) {
  return (
    <div className="answer" data-hinge={hasHinge || undefined}>
      <h1 data-long={finding.headline.length > LONG || undefined}>{finding.headline}</h1>
      {finding.headline === "" ? <p className="waiting">{waiting}</p> : null}
      <p className="brief">
        <Spans spans={finding.short} />
      </p>
      <p className="why">
        {finding.why.length === 0 ? null : (
          <>
            <b>Why.</b> <Spans spans={finding.why} />
          </>
        )}
      </p>
      {advice}
      <p className="unseen" role="status">
        {isSaid ? finding.headline : ""}
      </p>
    </div>
  );
});
