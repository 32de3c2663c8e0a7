import { useLayoutEffect, useRef } from "react";

type Widest = (a: number, b: number) => number;

export const heldEnd = (isHeld: boolean, held: number | null, current: number, widest: Widest): number =>
  isHeld && held !== null ? widest(held, current) : current;

/** While something is in the hand an axis only grows: the floor it may not go below (or, with `Math.min`, above). */
export function useHeld(isHeld: boolean, current: number, widest: Widest): number {
  const held = useRef<number | null>(null);
  const value = heldEnd(isHeld, held.current, current, widest);
  useLayoutEffect(() => {
    held.current = value;
  });
  return value;
}
