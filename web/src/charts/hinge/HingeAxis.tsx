import type { HowSure } from "../../analysis/types";
import { formatKnob } from "../../units";
import { useSize } from "../../ui/useSize";
import { described, layoutHinge, withUnit } from "./layout";

/** The one assumption the sign hangs on: its range, where the sign turns, and where the page stands. */
export function HingeAxis({ hinge }: { readonly hinge: NonNullable<HowSure["hinge"]> }) {
  const [box, size] = useSize();
  const width = size.width;
  const layout = layoutHinge(hinge, Math.max(120, width));
  const turn = layout.evenX ?? 0;
  const classOf = (word: string): string => (word.includes("loses") ? "sure-loses" : "sure-wins");
  return (
    <div ref={box} className="chart" style={{ height: 44 }}>
      {width < 120 ? null : (
        <svg
          className="plot" width={width} height={44} viewBox={`0 0 ${width} 44`} role="img"
          aria-label={described(hinge)}
        >
          <rect className={classOf(hinge.leftWord)} x={0} y={19} width={turn} height={6} />
          <rect className={classOf(hinge.rightWord)} x={turn} y={19} width={Math.max(0, width - turn)} height={6} />
          {[...layout.marks, ...(layout.evenX === null ? [] : [layout.evenX])].map((x) => (
            <path key={x} className="mark" d={`M${x} 15v14`} />
          ))}
          <circle className="ring" cx={layout.hereX} cy={22} r={5} />
          {layout.labels.map((label) => (
            <text
              key={label.kind + label.text} className={`${label.anchor} ${label.kind === "here" ? "acc bold" : ""}`}
              x={label.x} y={10}
            >
              {label.text}
            </text>
          ))}
          <text x={0} y={41}>
            {hinge.even === null ? withUnit(formatKnob(hinge.from), hinge) : hinge.leftWord}
          </text>
          <text className={hinge.rightWord.includes("loses") ? "end" : "end acc"} x={width} y={41}>
            {hinge.rightWord}
          </text>
        </svg>
      )}
    </div>
  );
}
