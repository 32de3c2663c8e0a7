import { useLayoutEffect, useRef } from "react";

/** While something is in the hand an axis only grows: the floor it may not go below (or, with `Math.min`, above). */
export function useHeld(isHeld: boolean, current: number, widest: (a: number, b: number) => number): number {
  const held = useRef<number | null>(null);
  const value = isHeld && held.current !== null ? widest(held.current, current) : current;
  useLayoutEffect(() => {
    held.current = value;
  });
  return value;
}
