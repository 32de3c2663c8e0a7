import { useMemo, useState, type ReactNode } from "react";
import type { CurveModel } from "../../analysis/types";
import { snap, type Range } from "../../ui/scale";
import { useHeld } from "../../ui/useHeld";
import { useSize } from "../../ui/useSize";
import { ChartFrame } from "../frame/ChartFrame";
import { Reader, type Press } from "../frame/Reader";
import { DifferenceStrip } from "./DifferenceStrip";
import { HandleMarks } from "./HandleMarks";
import { cut, endText, inStrip, percentDomainOf, topOf } from "./axes";
import { layoutThroughput, type ThroughputLayout } from "./layout";
import { Plot } from "./Plot";
import { ReadoutLine, StageNote } from "./Readout";
import { useHandle } from "./useHandle";
import { handleText, placesOf, readingAt, readingText, rowsOf, type RunKind } from "./words";

export interface ThroughputProps {
  readonly model: CurveModel;
  readonly knob: string;
  readonly range: Range;
  readonly isLocked: boolean;
  readonly isHeld: boolean;
  readonly isFaded: boolean;
  readonly height: number;
  /** In words: which law and by how much. */
  readonly brokenLaw: string | null;
  readonly head: ReactNode;
  /** What is said where nothing is drawn yet. */
  readonly waiting: string;
  readonly onMove: (value: number, phase: "drag" | "commit") => void;
  readonly onRun: (kind: RunKind) => void;
}

function useThroughputLayout(
  model: CurveModel, width: number, height: number, isHeld: boolean,
): ThroughputLayout | null {
  const floorY = useHeld(isHeld, topOf(model), Math.max);
  const domain = percentDomainOf(inStrip(model), [0, 0], model.differenceUnit);
  const low = useHeld(isHeld, domain[0], Math.min);
  const high = useHeld(isHeld, domain[1], Math.max);
  return useMemo(
    () =>
      width < 120
        ? null
        : layoutThroughput(model, { width, height, floorY: isHeld ? floorY : 0, floorPercent: [low, high] }),
    [model, width, height, isHeld, floorY, low, high],
  );
}

export function Throughput(props: ThroughputProps) {
  const { model, height } = props;
  const [box, size] = useSize();
  const layout = useThroughputLayout(model, size.width, height, props.isHeld);
  return (
    <ChartFrame
      title={model.title} fileName={`${model.metric.id}-by-${model.xLabel}`} height={height} isFaded={false}
      rows={() => rowsOf(model)} head={props.head}
    >
      <div ref={box} data-stage={model.stage.kind} data-faded={props.isFaded || undefined} style={{ height }}>
        {layout === null ? null : <Drawing {...props} layout={layout} />}
        <StageNote stage={model.stage} brokenLaw={props.brokenLaw} onRun={props.onRun} />
      </div>
    </ChartFrame>
  );
}

function Drawing({ layout, ...props }: ThroughputProps & { readonly layout: ThroughputLayout }) {
  const { model, range } = props;
  const { frame, scales, handle } = layout;
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [cursor, setCursor] = useState<number | null>(null);
  const valueAt = (share: number) =>
    snap(range, Math.min(model.xDomain[1], Math.max(model.xDomain[0], scales.toX(share * frame.width))));
  const drag = useHandle({ x: model.x, range, isLocked: props.isLocked, valueAt, onMove: props.onMove });
  const reading = cursor === null || drag.isGrabbed ? null : readingAt(model, cursor);
  const isEmpty = model.stage.kind === "empty" && model.b.length === 0 && model.a.length === 0;
  return (
    <>
      <svg
        className="plot" data-held={props.isHeld || undefined} width={frame.width} height={frame.height}
        viewBox={`0 0 ${frame.width} ${frame.height}`} aria-hidden="true"
      >
        <g opacity={props.isFaded ? 0.4 : 1}>
          <DifferenceStrip
            layout={layout} unit={model.differenceUnit} of={model.xA === null ? "" : ` (${model.nameA})`}
          />
          <Plot layout={layout} unit={model.unit} />
          {layout.xTicks.map((tick) => (
            <text key={tick.text} className="middle" x={tick.at} y={frame.axisText}>
              {tick.text}
            </text>
          ))}
          <LastTick layout={layout} model={model} />
          {cursor === null || reading === null ? null : (
            <path className="cursor" d={`M${scales.x(cursor)} ${frame.top}V${frame.stripBottom}`} />
          )}
          <HandleMarks
            layout={layout} state={{ isHovered, isFocused, isGrabbed: drag.isGrabbed, isLocked: props.isLocked }}
          />
        </g>
      </svg>
      {isEmpty ? <p className="chart-empty">{props.waiting}</p> : null}
      <Cursor
        model={model} layout={layout} press={{ isPressed: drag.isGrabbed, pointer: drag.pointer }} cursor={cursor}
        onCursor={setCursor}
      />
      <div
        className="handle" role="slider" tabIndex={props.isLocked ? -1 : 0} aria-label={`${props.knob}, on the curve`}
        aria-valuemin={model.xDomain[0]} aria-valuemax={model.xDomain[1]} aria-valuenow={model.x}
        aria-valuetext={handleText(model)} aria-disabled={props.isLocked || undefined}
        style={{ left: handle.x, top: handle.yB ?? frame.bottom }}
        {...drag.pointer}
        onKeyDown={drag.onKeyDown} onFocus={(event) => setFocused(event.currentTarget.matches(":focus-visible"))}
        onBlur={() => setFocused(false)} onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
      />
      {reading === null ? null : (
        <ReadoutLine reading={reading} left={frame.isCompact ? 0 : 60} isFull={!frame.isCompact} />
      )}
    </>
  );
}

interface CursorProps {
  readonly model: CurveModel;
  readonly layout: ThroughputLayout;
  readonly press: Press;
  readonly cursor: number | null;
  readonly onCursor: (x: number | null) => void;
}

/** Reads values under the pointer and by keys; a press takes the handle there. */
function Cursor({ model, layout, press, cursor, onCursor }: CursorProps) {
  const places = placesOf(model);
  const indexAt = (share: number) => {
    const value = layout.scales.toX(share * layout.frame.width);
    return places.reduce((best, x, i) => (Math.abs(x - value) < Math.abs((places[best] ?? 0) - value) ? i : best), 0);
  };
  return (
    <Reader
      label={model.title} count={places.length} index={cursor === null ? null : places.indexOf(cursor)}
      indexAt={indexAt} press={press} readout={cursor === null ? "" : readingText(readingAt(model, cursor), model.unit)}
      onIndex={(i) => onCursor(i === null ? null : (places[i] ?? null))}
    />
  );
}

function LastTick({ layout, model }: { readonly layout: ThroughputLayout; readonly model: CurveModel }) {
  const { frame, handle } = layout;
  const after = handle.x + handle.pillWidth / 2 + 6;
  if (frame.isCompact)
    return after > frame.right - endText(model).length * 6.6 ? null : (
      <text className="end" x={frame.right} y={frame.axisText}>
        {endText(model)}
      </text>
    );
  const end = frame.right + (model.xWords === null ? -7 : 8);
  const from = (words: string) => Math.min(end, frame.width - words.length * 6.6);
  const isCovered = after > from(endText(model)) - 4;
  const text = isCovered ? model.xLabel : endText(model);
  // The axis' own menu says the name in full.
  if (isCovered && after > from(text))
    return <text x={after} y={frame.axisText}>{cut(text, frame.width - after)}</text>;
  const isLong = from(text) < end;
  return <text className={isLong ? "end" : ""} x={isLong ? frame.width : end} y={frame.axisText}>{text}</text>;
}
