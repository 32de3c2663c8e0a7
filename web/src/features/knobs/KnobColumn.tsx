import { memo, useState } from "react";
import { Sourced } from "../../ui/Sourced";
import { helpText, noHelp, standardText, type KnobHelp } from "./item";
import { KnobGroups, type ColumnProps } from "./KnobGroups";

export interface KnobColumnProps extends ColumnProps {
  readonly help: KnobHelp;
}

const untouched = "Of the knob that was touched last stands here what it is, and where its default is from.";

/** The list scrolls; the foot with the words of the knob in hand does not, so nothing moves under the finger. */
export const KnobColumn = memo(function KnobColumn(props: KnobColumnProps) {
  const { help, heldKnob, items } = props;
  const [touched, onHand] = useState<string | null>(null);
  const inHand = heldKnob ?? touched;
  const held = items.find((item) => item.key === inHand);
  const [words, source] = held === undefined ? [] : helpText(held, help);
  return (
    <aside className="knobs" aria-label="Knobs">
      <div className="list">
        <KnobGroups {...props} inHand={inHand} onHand={onHand} />
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
