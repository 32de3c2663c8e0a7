import { memo } from "react";
import type { HowSure } from "../../analysis/types";
import { Spans } from "../../charts/frame/Spans";
import { HingeAxis } from "../../charts/hinge/HingeAxis";

/** The interval, and the assumption it hangs on: precise is not sure. */
export const HowSurePanel = memo(function HowSurePanel({ howSure }: { readonly howSure: HowSure }) {
  return (
    <section className="sure" aria-label="How sure">
      <h2>How sure</h2>
      <p><Spans spans={howSure.sentence} /></p>
      {howSure.hinge === null ? null : <HingeAxis hinge={howSure.hinge} />}
    </section>
  );
});
