import { memo, useMemo } from "react";
import type { CurveModel } from "../../analysis/types";
import { Throughput } from "../../charts/throughput/Throughput";
import type { RunKind } from "../../charts/throughput/words";
import { Choice } from "../../ui/Choice";
import type { Range } from "../../ui/scale";

export interface CurvePanelProps {
  readonly model: CurveModel;
  readonly knob: string;
  readonly range: Range;
  readonly isLocked: boolean;
  readonly isHeld: boolean;
  readonly isFaded: boolean;
  readonly height: number;
  readonly brokenLaw: string | null;
  readonly onMove: (value: number, phase: "drag" | "commit") => void;
  readonly onMetric: (metric: "throughput" | "response") => void;
  readonly onRun: (kind: RunKind) => void;
}

const metrics = [{ value: "throughput", label: "Throughput" }, { value: "response", label: "Response time" }] as const;

export const CurvePanel = memo(function CurvePanel({ onMetric, ...props }: CurvePanelProps) {
  const { metric } = props.model;
  const head = useMemo(
    () => <Choice label="What the curve shows" face="fine" options={metrics} value={metric} onChange={(value) => onMetric(value as "throughput" | "response")} />,
    [metric, onMetric],
  );
  return (
    <div className="curve">
      <Throughput {...props} head={head} />
    </div>
  );
});
