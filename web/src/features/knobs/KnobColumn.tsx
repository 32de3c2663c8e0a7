import { memo, useState } from "react";
import { helpText, standardText, type KnobItem, type OnKnob } from "./item";
import { Knob } from "./Knob";

export interface KnobColumnProps {
  readonly items: readonly KnobItem[];
  /** The knob in hand, or the last one that was. */
  readonly inHand: string | null;
  readonly onKnob: OnKnob;
  readonly onHand: (key: string) => void;
}

function groupsOf(items: readonly KnobItem[]): readonly (readonly [string, readonly KnobItem[]])[] {
  const names = [...new Set(items.map((item) => item.group))];
  return names.map((name) => [name, items.filter((item) => item.group === name)] as const);
}

export function KnobGroups({ items, onKnob, onHand }: Omit<KnobColumnProps, "inHand">) {
  return (
    <>
      {groupsOf(items).map(([name, group]) => <Group key={name} name={name} items={group} onKnob={onKnob} onHand={onHand} />)}
    </>
  );
}

function Group({ name, items, onKnob, onHand }: Omit<KnobColumnProps, "inHand"> & { readonly name: string }) {
  const [isWhole, setWhole] = useState(false);
  const rest = items.filter((item) => !item.isPrincipal).length;
  const shown = isWhole ? items : items.filter((item) => item.isPrincipal);
  return (
    <div className="group" role="group" aria-label={name}>
      <div className="group-head">
        <h3>{name}</h3>
        {rest === 0 ? null : (
          <button type="button" aria-expanded={isWhole} aria-label={isWhole ? `${name}: show fewer` : `${name}: show ${rest} more`} onClick={() => setWhole((was) => !was)}>
            {isWhole ? "fewer" : `${rest} more`}
          </button>
        )}
      </div>
      {shown.map((item) => <Knob key={item.key} item={item} onKnob={onKnob} onHand={onHand} />)}
    </div>
  );
}

/** The list scrolls; the foot with the words of the knob in hand does not, so nothing moves under the finger. */
export const KnobColumn = memo(function KnobColumn({ items, inHand, onKnob, onHand }: KnobColumnProps) {
  const held = items.find((item) => item.key === inHand) ?? items[0];
  return (
    <aside className="knobs" aria-label="Knobs">
      <div className="list">
        <KnobGroups items={items} onKnob={onKnob} onHand={onHand} />
      </div>
      <div className="foot" tabIndex={0} role="note" aria-label="About the knob in hand">
        {held === undefined ? null : (
          <>
            <p><span className="mono">{held.key}</span>{standardText(held)}</p>
            <p>{helpText(held)}</p>
          </>
        )}
      </div>
    </aside>
  );
});
