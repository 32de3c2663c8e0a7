import { memo } from "react";
import { Sheet } from "../../ui/Sheet";
import { shownValue } from "./item";
import { Knob } from "./Knob";
import type { KnobListProps } from "./KnobColumn";
import { KnobGroups } from "./KnobGroups";

export interface KnobSheetProps extends KnobListProps {
  /** Keys offered as chips: what this scenario is about. */
  readonly favourites: readonly string[];
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** On a phone: the knob last touched, chips for others, and all of them when it is pulled up. */
export const KnobSheet = memo(function KnobSheet({
  items, inHand, favourites, isOpen, edit, onHand, onOpenChange,
}: KnobSheetProps) {
  const chips = favourites.flatMap((key) => items.find((item) => item.key === key) ?? []);
  const held = items.find((item) => item.key === inHand) ?? chips[0] ?? items[0];
  const rest = items.filter((item) => item.key !== held?.key);
  return (
    <Sheet label="Knobs" isOpen={isOpen} onOpenChange={onOpenChange}>
      {held === undefined ? null : <Knob item={held} edit={edit} onHand={onHand} />}
      {isOpen ? (
        <KnobGroups items={rest} edit={edit} onHand={onHand} />
      ) : (
        <div className="chips" role="group" aria-label="Other knobs">
          {chips.map((item) => (
            <button key={item.key} type="button" aria-pressed={item.key === held?.key} onClick={() => onHand(item.key)}>
              <span>
                {item.key}
                <span className="value">{shownValue(item.value)}</span>
              </span>
            </button>
          ))}
        </div>
      )}
    </Sheet>
  );
});
