import { lazy, memo, Suspense } from "react";
import type { HowSure } from "../../analysis/types";
import { Spans } from "../../charts/frame/Spans";

/** Drawn when all else is: it is fetched then. */
const HingeAxis = lazy(() => import("../../charts/hinge/HingeAxis").then((loaded) => ({ default: loaded.HingeAxis })));

/** The interval, and the assumption it hangs on: precise is not sure. */
export const HowSurePanel = memo(function HowSurePanel({ howSure }: { readonly howSure: HowSure }) {
  return (
    <section className="sure" aria-label="How sure">
      <h2>How sure</h2>
      <p><Spans spans={howSure.sentence} /></p>
      {howSure.hinge === null ? null : (
        <Suspense fallback={<div className="chart" style={{ height: 44 }} />}>
          <HingeAxis hinge={howSure.hinge} />
        </Suspense>
      )}
    </section>
  );
});
