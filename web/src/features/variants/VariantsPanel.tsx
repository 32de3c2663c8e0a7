import { memo, useMemo } from "react";
import type { VariantsModel } from "../../analysis/types";
import { VariantsChart } from "../../charts/variants/VariantsChart";

export interface VariantsPanelProps {
  readonly model: VariantsModel;
  readonly isFaded: boolean;
  readonly onRun: () => void;
}

/** Pairs are run when they are asked for: together they take longer than the rest of the page. */
export const VariantsPanel = memo(function VariantsPanel({ model, isFaded, onRun }: VariantsPanelProps) {
  const done = model.rows.filter(({ ratio }) => ratio !== null).length;
  const head = useMemo(
    () =>
      !model.isAsked ? (
        <button type="button" className="link" onClick={onRun}>
          Run {model.rows.length} pairs
        </button>
      ) : done < model.rows.length ? (
        <span className="mute" role="status">
          {done} of {model.rows.length} pairs have run
        </span>
      ) : null,
    [model.isAsked, model.rows.length, done, onRun],
  );
  return (
    <div className="variants">
      <VariantsChart model={model} isFaded={isFaded} head={head} />
    </div>
  );
});
