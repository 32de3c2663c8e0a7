/**
 * How wide a text will be, near enough to place labels without asking the browser. 12 px type; slack is on the safe
 * side.
 */

const SANS = 6.4;
const SANS_BOLD = 6.9;
const MONO = 7.15;

export function textWidth(text: string, face: "sans" | "bold" | "mono" = "sans"): number {
  const perCharacter = face === "mono" ? MONO : face === "bold" ? SANS_BOLD : SANS;
  return text.length * perCharacter;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** The box of a line of 12 px type whose baseline is at `y`. */
export function textBox(x: number, y: number, width: number, anchor: "start" | "middle" | "end"): Box {
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { left, right: left + width, top: y - 11, bottom: y + 3 };
}
