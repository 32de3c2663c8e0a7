import { memo, useMemo } from "react";
import type { CurveModel } from "../../analysis/types";
import { Throughput } from "../../charts/throughput/Throughput";
import type { RunKind } from "../../charts/throughput/words";
import type { Range } from "../../ui/scale";
import { AxisMenus, type Axes, type AxesWanted } from "./AxisMenus";

export interface CurvePanelProps {
  readonly model: CurveModel;
  readonly axes: Axes;
  readonly knob: string;
  readonly range: Range;
  readonly isLocked: boolean;
  readonly isHeld: boolean;
  readonly isFaded: boolean;
  readonly height: number;
  readonly brokenLaw: string | null;
  readonly waiting: string;
  readonly onMove: (value: number, phase: "drag" | "commit") => void;
  readonly onAxes: (axes: AxesWanted) => void;
  readonly onRun: (kind: RunKind) => void;
}

export const CurvePanel = memo(function CurvePanel({ axes, onAxes, ...props }: CurvePanelProps) {
  const head = useMemo(() => <AxisMenus axes={axes} onAxes={onAxes} />, [axes, onAxes]);
  return (
    <div className="curve">
      <Throughput {...props} head={head} />
    </div>
  );
});
