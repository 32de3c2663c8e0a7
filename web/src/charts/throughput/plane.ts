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

/** The mean at `x`, straight between its neighbours. */
export function valueAt(points: readonly { readonly x: number; readonly y: number }[], x: number): number | null {
  const after = points.findIndex((p) => p.x >= x);
  const right = points[after];
  if (right === undefined) return null;
  const left = points[after - 1];
  if (right.x === x || left === undefined) return right.x === x ? right.y : null;
  return left.y + ((right.y - left.y) * (x - left.x)) / (right.x - left.x);
}
