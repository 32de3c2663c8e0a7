import { memo, useState } from "react";
import type { KnobEdit } from "./item";
import { Knob } from "./Knob";
import { partName, type KnobLine } from "./rows";

export interface HostKnobProps {
  readonly line: KnobLine;
  readonly edit: KnobEdit;
  readonly onHand: (key: string) => void;
}

/** Rows are made anew for every move of any knob; what is in them is not. */
function isSameRow(one: HostKnobProps, other: HostKnobProps): boolean {
  const [before, now] = [one.line, other.line];
  return (
    before.item === now.item
    && before.name === now.name
    && before.parts.length === now.parts.length
    && before.parts.every((part, i) => part === now.parts[i])
    && one.edit === other.edit
    && one.onHand === other.onHand
  );
}

/**
 * A knob of several hosts or instances: one setting for all of them, or one for each, on one scale. Once apart it
 * stays so until somebody joins it, so that nothing changes its place under the finger.
 */
export const HostKnob = memo(function HostKnob({ line, edit, onHand }: HostKnobProps) {
  const { item, name, parts } = line;
  const [isApart, setApart] = useState(item.isMixed);
  if (item.isMixed && !isApart) setApart(true);
  if (parts.length < 2) return <Knob item={item} name={name} edit={edit} onHand={onHand} />;
  const turn = item.isMixed ? undefined : (
    <button
      type="button" className="knob-turn" aria-expanded={isApart} aria-label={`${name}: each of its own`}
      title={isApart ? "Set all at once" : "Set each of its own"} onClick={() => setApart(!isApart)}
    >
      {isApart ? "each" : parts.length === 2 ? "both" : "all"}
    </button>
  );
  if (!isApart) return <Knob item={item} name={name} aside={turn} edit={edit} onHand={onHand} />;
  return (
    <div className="knob-hosts" role="group" aria-label={`${name}, one by one`}>
      <div className="knob-row">
        <span className="knob-name" title={name}>
          {name}
        </span>
        {turn}
        <span className="knob-unit">{item.unit ?? ""}</span>
      </div>
      {parts.map((part) => (
        <Knob key={part.key} item={part} name={partName(part, parts)} isPart edit={edit} onHand={onHand} />
      ))}
    </div>
  );
}, isSameRow);
