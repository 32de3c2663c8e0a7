import { useState } from "react";
import type { KnobItem } from "./item";
import { firstKind, isThere, kindLabel, kindOf, type Kind } from "./kinds";

/** The kind that is shown: of the knob that came into the hand since one was picked, else the one picked. */
export function useKind(
  kinds: readonly Kind[], items: readonly KnobItem[], inHand: string | null,
): readonly [string | undefined, (kind: string) => void] {
  const [picked, setPicked] = useState<{ readonly kind?: string; readonly inHand: string | null }>({ inHand: null });
  const held = inHand === picked.inHand ? undefined : items.find(({ key }) => key === inHand);
  return [kindOf(held) ?? picked.kind ?? firstKind(kinds), (kind) => setPicked({ kind, inHand })];
}

interface KindChoiceProps {
  readonly kinds: readonly Kind[];
  readonly kind: string | undefined;
  readonly onKind: (kind: string) => void;
}

/** One process kind of many; each says how many of its knobs were changed. */
export function KindChoice({ kinds, kind, onKind }: KindChoiceProps) {
  const options = (there: boolean) =>
    kinds.filter((one) => isThere(one) === there).map((one) => (
      <option key={one.name} value={one.name}>
        {kindLabel(one)}
      </option>
    ));
  return (
    <label className="knob-instances">
      Knobs of
      <select
        aria-label="Knobs of which process kind" value={kind} onChange={(event) => onKind(event.target.value)}
      >
        {options(true)}
        <optgroup label="Do not act here">{options(false)}</optgroup>
      </select>
    </label>
  );
}
