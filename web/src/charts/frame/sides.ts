import { useMemo } from "react";
import type { SideModel } from "../../analysis/types";

export interface Sides {
  readonly a: SideModel | null;
  readonly b: SideModel | null;
}

export interface Side {
  readonly letter: "A" | "B";
  readonly model: SideModel;
}

/** The columns there are: A and B, or one of them. */
export function sidesOf({ a, b }: Sides): readonly Side[] {
  return [
    ...(a === null ? [] : [{ letter: "A" as const, model: a }]),
    ...(b === null ? [] : [{ letter: "B" as const, model: b }]),
  ];
}

/** The same columns for the same two models. */
export function useSides({ a, b }: Sides): readonly Side[] {
  return useMemo(() => sidesOf({ a, b }), [a, b]);
}
