import { memo } from "react";
import type { RedoModel } from "../../analysis/types";
import { RedoChart } from "../../charts/redo/RedoChart";

export interface RedoPanelProps {
  readonly model: RedoModel;
  readonly isFaded: boolean;
}

export const RedoPanel = memo(function RedoPanel({ model, isFaded }: RedoPanelProps) {
  return (
    <div className="redo">
      <RedoChart model={model} isFaded={isFaded} />
    </div>
  );
});
