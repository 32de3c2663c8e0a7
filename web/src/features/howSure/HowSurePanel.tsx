import { memo } from "react";
import type { HowSure } from "../../analysis/types";
import { Spans } from "../../charts/frame/Spans";
import { lately } from "../../ui/lately";

/** Drawn when all else is: it is fetched then. */
const HingeAxis = lately(
  () => import("../../charts/hinge/HingeAxis").then((loaded) => loaded.HingeAxis),
  <div className="chart" style={{ height: 44 }} />,
);

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
