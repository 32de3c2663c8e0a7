import type { SideModel } from "../../analysis/types";

export interface Sides {
  readonly a: SideModel | null;
  readonly b: SideModel | null;
}

/** The columns there are: A and B, or one of them. */
export function sidesOf({ a, b }: Sides): readonly { readonly letter: "A" | "B"; readonly model: SideModel }[] {
  return [...(a === null ? [] : [{ letter: "A" as const, model: a }]), ...(b === null ? [] : [{ letter: "B" as const, model: b }])];
}
