/** The assumption on its own log axis: where the sign turns, where we stand, what is known. */
import { scaleLinear, scaleLog } from "d3-scale";
import type { HowSure } from "../../analysis/types";
import { formatKnob } from "../../units";
import { overlaps, textBox, textWidth, type Box } from "../frame/text";

type Hinge = NonNullable<HowSure["hinge"]>;

export interface HingeLabel {
  readonly text: string;
  readonly x: number;
  readonly anchor: "start" | "middle" | "end";
  readonly kind: "mark" | "even" | "here";
}

export interface HingeLayout {
  readonly evenX: number | null;
  readonly hereX: number;
  readonly marks: readonly number[];
  readonly labels: readonly HingeLabel[];
  readonly toX: (value: number) => number;
}

/** A share has no unit. */
export const withUnit = (value: string, { unit }: Hinge): string => (unit === "" ? value : `${value}\u00a0${unit}`);

export function described(hinge: Hinge): string {
  const turn =
    hinge.even === null
      ? hinge.rightWord
      : `${hinge.leftWord} below ${withUnit(formatKnob(hinge.even), hinge)}, ${hinge.rightWord} above`;
  return `${hinge.knob} from ${formatKnob(hinge.from)} to ${withUnit(formatKnob(hinge.to), hinge)}: ${turn}; here `
    + withUnit(formatKnob(hinge.here), hinge);
}

/** Keeps a label inside the axis by changing its anchor at the ends. */
function placed(text: string, x: number, width: number, kind: HingeLabel["kind"]): HingeLabel {
  const half = textWidth(text, kind === "here" ? "bold" : "sans") / 2;
  if (x - half < 0) return { text, x: 0, anchor: "start", kind };
  if (x + half > width) return { text, x: width, anchor: "end", kind };
  return { text, x, anchor: "middle", kind };
}

const boxOf = (label: HingeLabel): Box => {
  const box = textBox(label.x, 10, textWidth(label.text, label.kind === "here" ? "bold" : "sans"), label.anchor);
  return { ...box, left: box.left - 4, right: box.right + 4 };
};

/** "here" first, then the even point, then the marks; what does not fit is left out. */
export function layoutHinge(hinge: Hinge, width: number): HingeLayout {
  const low = Math.min(hinge.from, hinge.to);
  const high = Math.max(hinge.from, hinge.to);
  const toX =
    low > 0 ? scaleLog([low, high], [0, width]).clamp(true) : scaleLinear([low, high], [0, width]).clamp(true);
  const evenX = hinge.even === null ? null : toX(hinge.even);
  const hereX = toX(hinge.here);
  const here = placed(`here ${withUnit(formatKnob(hinge.here), hinge)}`, hereX, width, "here");
  const marks = hinge.marks.filter((mark) => mark.value !== hinge.here);
  const wished = [
    here,
    ...(hinge.even === null || evenX === null
      ? []
      : [placed(`even ${formatKnob(hinge.even)}`, evenX, width, "even")]),
    ...marks.map((mark) =>
      placed(
        /\d/.test(mark.label) ? mark.label : `${mark.label} ${formatKnob(mark.value)}`, toX(mark.value), width, "mark",
      ),
    ),
  ];
  const labels: HingeLabel[] = [];
  for (const label of wished) {
    const placedLabel = labels.some((other) => overlaps(boxOf(other), boxOf(label)))
      ? besideHere(label, labels)
      : label;
    if (placedLabel !== null) labels.push(placedLabel);
  }
  return { evenX, hereX, marks: marks.map((mark) => toX(mark.value)), labels, toX };
}

/** A label that touches another ends just left of it, if it stays near its mark. */
function besideHere(label: HingeLabel, kept: readonly HingeLabel[]): HingeLabel | null {
  const limit = Math.min(...kept.map((other) => boxOf(other).left)) - 6;
  const width = textWidth(label.text);
  const isNear = label.x - limit < width && limit - width >= 0;
  return isNear ? { ...label, x: limit, anchor: "end" } : null;
}
