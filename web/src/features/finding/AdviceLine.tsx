import { useState } from "react";
import type { Sentence } from "../../analysis/types";
import { Spans } from "../../charts/frame/Spans";

/** What one should do. Once said, its place is held: under a hand nothing below it moves. */
export function AdviceLine({ sentence }: { readonly sentence: Sentence }) {
  const [isHeld, hold] = useState(false);
  const isThere = sentence.length > 0;
  if (isThere && !isHeld) hold(true);
  return isThere || isHeld ? (
    <p className="advice">
      {isThere ? (
        <>
          <b>What to do.</b> <Spans spans={sentence} />
        </>
      ) : null}
    </p>
  ) : null;
}
