import { memo, useMemo, useState } from "react";
import { Sheet } from "../../ui/Sheet";
import { shownValue } from "./item";
import { HostKnob } from "./HostKnob";
import { KnobGroups, type ColumnProps } from "./KnobGroups";
import { isOf, linesFor, linesOf, type KnobLine } from "./rows";

export interface KnobSheetProps extends ColumnProps {
  /** Keys offered as chips: what this scenario is about. */
  readonly favourites: readonly string[];
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** What a chip shows: one value, or that of each host or instance. */
function chipValue({ item, parts }: KnobLine): string {
  return item.isMixed && parts.length > 1
    ? parts.map((part) => shownValue(part.value)).join(" · ")
    : shownValue(item.value);
}

/** On a phone: the knob last touched, chips for others, and all of them when it is pulled up. */
export const KnobSheet = memo(function KnobSheet(props: KnobSheetProps) {
  const { heldKnob, favourites, isOpen, onOpenChange, items, host, hosts, edit } = props;
  const [touched, onHand] = useState<string | null>(null);
  const inHand = heldKnob ?? touched;
  const lines = useMemo(() => linesOf(items, hosts > 1 ? host : null), [items, host, hosts]);
  const chips = linesFor(lines, favourites);
  const held = lines.find((line) => isOf(line, inHand)) ?? chips[0] ?? lines[0];
  return (
    <Sheet label="Knobs" isOpen={isOpen} onOpenChange={onOpenChange}>
      {held === undefined ? null : <HostKnob key={held.item.key} line={held} edit={edit} onHand={onHand} />}
      {isOpen ? (
        <KnobGroups {...props} inHand={inHand} onHand={onHand} omit={held?.item.key} />
      ) : (
        <div className="chips" role="group" aria-label="Other knobs">
          {chips.map((line) => (
            <button
              key={line.item.key} type="button" aria-pressed={line === held} onClick={() => onHand(line.item.key)}
            >
              <span>
                {line.name}
                <span className="value">{chipValue(line)}</span>
              </span>
            </button>
          ))}
        </div>
      )}
    </Sheet>
  );
});
