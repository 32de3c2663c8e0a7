import { memo } from "react";
import { helpText, standardText, type KnobEdit, type KnobHelp, type KnobItem } from "./item";
import { KnobGroups } from "./KnobGroups";

export interface KnobColumnProps extends KnobListProps {
  readonly help: KnobHelp;
}

export interface KnobListProps {
  readonly items: readonly KnobItem[];
  /** The knob in hand, or the last one that was. */
  readonly inHand: string | null;
  readonly edit: KnobEdit;
  readonly onHand: (key: string) => void;
}

/** The list scrolls; the foot with the words of the knob in hand does not, so nothing moves under the finger. */
export const KnobColumn = memo(function KnobColumn({ items, help, inHand, edit, onHand }: KnobColumnProps) {
  const held = items.find((item) => item.key === inHand) ?? items[0];
  return (
    <aside className="knobs" aria-label="Knobs">
      <div className="list">
        <KnobGroups items={items} edit={edit} onHand={onHand} />
      </div>
      <div className="foot" tabIndex={0} role="note" aria-label="About the knob in hand">
        {held === undefined ? null : (
          <>
            <p><span className="mono">{held.key}</span>{standardText(held)}</p>
            <p>{helpText(held, help)}</p>
          </>
        )}
      </div>
    </aside>
  );
});
