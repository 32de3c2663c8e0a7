import { memo } from "react";
import { Sourced } from "../../ui/Sourced";
import { helpText, noHelp, standardText, type KnobHelp } from "./item";
import { KnobGroups, type GroupsProps } from "./KnobGroups";

export interface KnobColumnProps extends KnobListProps {
  readonly help: KnobHelp;
}

export interface KnobListProps extends GroupsProps {
  /** The knob in hand, or the last one that was. */
  readonly inHand: string | null;
}

const untouched = "Of the knob that was touched last stands here what it is, and where its default is from.";

/** The list scrolls; the foot with the words of the knob in hand does not, so nothing moves under the finger. */
export const KnobColumn = memo(function KnobColumn({ help, inHand, ...groups }: KnobColumnProps) {
  const { items } = groups;
  const held = items.find((item) => item.key === inHand);
  const [words, source] = held === undefined ? [] : helpText(held, help);
  return (
    <aside className="knobs" aria-label="Knobs">
      <div className="list">
        <KnobGroups {...groups} />
      </div>
      <div className="foot" tabIndex={0} role="note" aria-label="About the knob in hand">
        {held === undefined ? (
          <p>{help === "failed" ? noHelp : untouched}</p>
        ) : (
          <>
            <p><span className="mono">{held.key}</span>{standardText(held)}</p>
            <p>{words}<Sourced text={source ?? ""} /></p>
          </>
        )}
      </div>
    </aside>
  );
});
