/** A slider's track runs from 0 to 1; a knob's values may run over decades. */

export interface Range {
  readonly min: number;
  readonly max: number;
  readonly step: number | null;
  readonly scale: "linear" | "log";
  readonly isWhole: boolean;
}

/** A log track that starts at zero keeps its first part for zero itself. */
const ZERO_PART = 0.04;

function lowest(range: Range): number {
  return range.min > 0 ? range.min : Math.min(range.max, range.step ?? (range.isWhole ? 1 : range.max / 10_000));
}

export function toTrack(range: Range, value: number): number {
  const clamped = Math.min(range.max, Math.max(range.min, value));
  if (range.max === range.min) return 0;
  if (range.scale === "linear") return (clamped - range.min) / (range.max - range.min);
  const low = lowest(range);
  const share = Math.log(Math.max(low, clamped) / low) / Math.log(range.max / low);
  if (range.min > 0) return share;
  return clamped < low ? 0 : ZERO_PART + share * (1 - ZERO_PART);
}

export function fromTrack(range: Range, track: number): number {
  const at = Math.min(1, Math.max(0, track));
  if (range.scale === "linear") return snap(range, range.min + at * (range.max - range.min));
  if (range.min <= 0 && at < ZERO_PART / 2) return range.min;
  const low = lowest(range);
  const share = range.min > 0 ? at : Math.max(0, (at - ZERO_PART) / (1 - ZERO_PART));
  return snap(range, low * (range.max / low) ** share);
}

/** Values a person would choose: the knob's step, or on a log scale two significant digits. */
export function snap(range: Range, value: number): number {
  const clamped = Math.min(range.max, Math.max(range.min, value));
  const step = range.step ?? (range.isWhole ? 1 : null);
  const coarse =
    range.scale === "log" && clamped > 0 ? Math.max(step ?? 0, 10 ** (Math.floor(Math.log10(clamped)) - 1)) : step;
  if (coarse === null || coarse <= 0) return Number(clamped.toPrecision(3));
  const snapped =
    range.scale === "log"
      ? Math.round(clamped / coarse) * coarse
      : range.min + Math.round((clamped - range.min) / coarse) * coarse;
  return Number(Math.min(range.max, Math.max(range.min, snapped)).toPrecision(9));
}

/** One key press: `size` 1 for an arrow, 10 for a page. Always moves, unless at the end. */
export function nudge(range: Range, value: number, direction: 1 | -1, size: 1 | 10): number {
  if (range.scale === "log") {
    const factor = size === 10 ? 2 : 1.1;
    if (value <= 0) return direction > 0 ? lowest(range) : range.min;
    const wished = snap(range, direction > 0 ? value * factor : value / factor);
    if (wished !== value) return direction < 0 && range.min <= 0 && value <= lowest(range) ? range.min : wished;
    const unit = range.step ?? (range.isWhole ? 1 : 10 ** (Math.floor(Math.log10(value)) - 1));
    return snap(range, direction < 0 && value <= lowest(range) ? range.min : value + direction * unit);
  }
  const unit = range.step ?? (range.isWhole ? 1 : (range.max - range.min) / 100);
  const page = Math.max(unit, Math.round((range.max - range.min) / 10 / unit) * unit);
  return snap(range, value + direction * (size === 10 ? page : unit));
}

/** The value a key asks for, or null if the key is not the slider's. */
export function valueForKey(range: Range, value: number, key: string): number | null {
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return nudge(range, value, 1, 1);
    case "ArrowLeft":
    case "ArrowDown":
      return nudge(range, value, -1, 1);
    case "PageUp":
      return nudge(range, value, 1, 10);
    case "PageDown":
      return nudge(range, value, -1, 10);
    case "Home":
      return range.min;
    case "End":
      return range.max;
    default:
      return null;
  }
}
