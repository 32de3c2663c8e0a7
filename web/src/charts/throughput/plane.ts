/** The plane that the curves and their labels share. */

export interface Scales {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly percent: (value: number) => number;
  readonly toX: (pixel: number) => number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly stripTop: number;
  readonly stripBottom: number;
  readonly axisText: number;
  readonly isCompact: boolean;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The mean at `x`, straight between its neighbours. */
export function valueAt(points: readonly Place[], x: number): number | null {
  const after = points.findIndex((p) => p.x >= x);
  const right = points[after];
  if (right === undefined) return null;
  const left = points[after - 1];
  if (right.x === x || left === undefined) return right.x === x ? right.y : null;
  return left.y + ((right.y - left.y) * (x - left.x)) / (right.x - left.x);
}

/** The same on the line as it is drawn, which is straight on the axis: on one of decades, in their logarithms. */
export function valueOn(points: readonly Place[], x: number, scales: Scales): number | null {
  return valueAt(points.map((point) => ({ x: scales.x(point.x), y: point.y })), scales.x(x));
}

/** Neighbours so much apart leave the value between them open. */
const APART = 0.05;

/** Whether there is no point at `x`, and those beside it are not alike. */
export function isBetween(points: readonly Place[], x: number): boolean {
  const after = points.findIndex((point) => point.x >= x);
  const [left, right] = [points[after - 1], points[after]];
  if (left === undefined || right === undefined || right.x === x) return false;
  return Math.abs(left.y - right.y) > APART * Math.max(Math.abs(left.y), Math.abs(right.y));
}
