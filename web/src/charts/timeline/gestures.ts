/** Wheel, fingers and keys as one reducer over the window. Places are shares of the plot's width. */

export interface Window {
  readonly from: number;
  readonly to: number;
}

interface Finger {
  readonly id: number;
  readonly share: number;
  /** The moment under it, which stays under it. */
  readonly ms: number;
}

export interface Gesture {
  readonly window: Window;
  readonly fingers: readonly Finger[];
  /** Further than a click shakes. */
  readonly isMoved: boolean;
}

export type Motion =
  | { readonly type: "zoom"; readonly factor: number; readonly share: number }
  | { readonly type: "pan"; readonly share: number }
  | { readonly type: "show"; readonly window: Window }
  | { readonly type: "centre"; readonly ms: number }
  | { readonly type: "down" | "move"; readonly id: number; readonly share: number }
  | { readonly type: "up"; readonly id: number };

/** Shortest window, ms: single switches of a microsecond are wide apart in it. */
export const SHORTEST_MS = 0.02;
const SHAKE = 0.006;

export function bounded({ from, to }: Window, bounds: Window): Window {
  const whole = bounds.to - bounds.from;
  const length = Math.min(whole, Math.max(Math.min(SHORTEST_MS, whole), to - from));
  const start = Math.min(bounds.to - length, Math.max(bounds.from, (from + to - length) / 2));
  return { from: start, to: start + length };
}

const at = ({ from, to }: Window, share: number): number => from + (to - from) * share;

/** The window that keeps every finger's moment under it; of more than two fingers the first two count. */
function held(window: Window, fingers: readonly Finger[]): Window {
  const [a, b] = fingers;
  if (a === undefined) return window;
  const apart = b === undefined ? 0 : b.share - a.share;
  const length =
    b === undefined || Math.abs(apart) < 0.02 || (b.ms - a.ms) / apart <= 0
      ? window.to - window.from
      : (b.ms - a.ms) / apart;
  const from = a.ms - a.share * length;
  return { from, to: from + length };
}

function zoomed(window: Window, factor: number, share: number, bounds: Window): Window {
  const anchor = at(window, share);
  const length = Math.min(bounds.to - bounds.from, Math.max(SHORTEST_MS, (window.to - window.from) * factor));
  return { from: anchor - share * length, to: anchor + (1 - share) * length };
}

/** Fingers take hold anew of what is under them. */
function grasp(window: Window, fingers: readonly Finger[]): readonly Finger[] {
  return fingers.map(({ id, share }) => ({ id, share, ms: at(window, share) }));
}

export function moved(gesture: Gesture, motion: Motion, bounds: Window): Gesture {
  const { window, fingers } = gesture;
  const shown = (next: Window): Gesture => ({ ...gesture, window: bounded(next, bounds) });
  const length = window.to - window.from;
  switch (motion.type) {
    case "zoom":
      return shown(zoomed(window, motion.factor, motion.share, bounds));
    case "pan":
      return shown({ from: window.from + motion.share * length, to: window.to + motion.share * length });
    case "show":
      return shown(motion.window);
    case "centre":
      return shown({ from: motion.ms - length / 2, to: motion.ms + length / 2 });
    case "down":
      return { window, isMoved: fingers.length > 0, fingers: grasp(window, [...fingers, { ...motion, ms: 0 }]) };
    case "move": {
      const before = fingers.find(({ id }) => id === motion.id);
      if (before === undefined) return gesture;
      const next = fingers.map((finger) => (finger === before ? { ...finger, share: motion.share } : finger));
      const isMoved = gesture.isMoved || Math.abs(at(window, motion.share) - before.ms) > SHAKE * length;
      return isMoved ? { window: bounded(held(window, next), bounds), fingers: next, isMoved } : gesture;
    }
    default:
      return { window, isMoved: gesture.isMoved, fingers: grasp(window, fingers.filter(({ id }) => id !== motion.id)) };
  }
}

/** The window with a moment in it, moved no more than needed. */
export function withMoment({ from, to }: Window, ms: number): Window {
  const margin = (to - from) * 0.08;
  const by = ms < from + margin ? ms - from - margin : ms > to - margin ? ms - to + margin : 0;
  return { from: from + by, to: to + by };
}
