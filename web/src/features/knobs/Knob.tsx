import { memo, useId, useRef, useState, type ReactNode } from "react";
import { Choice } from "../../ui/Choice";
import { Icon } from "../../ui/Icon";
import { MenuButton } from "../../ui/MenuButton";
import { NumberField, type NumberFieldHandle } from "../../ui/NumberField";
import { Slider } from "../../ui/Slider";
import { besideValue, readTyped, shownValue, spokenValue, unitBeside, type KnobEdit, type KnobItem } from "./item";
import { TextField } from "./TextField";

export interface KnobProps {
  readonly item: KnobItem;
  /** How it is called in its row; its key is what it is. */
  readonly name?: string;
  /** One host's line in the row of a knob. */
  readonly isPart?: boolean;
  /** Stands behind the name. */
  readonly aside?: ReactNode;
  readonly edit: KnobEdit;
  readonly onHand: (key: string) => void;
}

export const Knob = memo(function Knob({ item, name = item.key, isPart = false, aside, edit, onHand }: KnobProps) {
  const marks = {
    "data-moved": item.isMoved || undefined, "data-differs": item.differs || undefined, "data-knob": item.key,
    "data-part": isPart || undefined,
  };
  const hand = () => onHand(item.key);
  const label = (
    <>
      <span className="knob-name" title={item.key}>
        {name}
      </span>
      {aside}
    </>
  );
  return (
    <div className="knob" {...marks}>
      {item.kind === "choice" ? (
        <ChoiceKnob item={item} label={label} isNarrow={isPart || aside !== undefined} edit={edit} onHand={hand} />
      ) : item.kind === "vector" || item.kind === "cpus" || typeof item.value === "string" ? (
        <TextField item={item} label={label} edit={edit} onHand={hand} />
      ) : (
        <NumberKnob item={item} label={label} value={item.value} edit={edit} onHand={hand} />
      )}
    </div>
  );
});

interface ChoiceKnobProps {
  readonly item: KnobItem;
  readonly label: ReactNode;
  /** No room for words side by side, unless they are few. */
  readonly isNarrow: boolean;
  readonly edit: KnobEdit;
  readonly onHand: () => void;
}

/** Words side by side where they fit, else the chosen one with a menu. */
function ChoiceKnob({ item, label, isNarrow, edit, onHand }: ChoiceKnobProps) {
  const isLong = item.key.length + item.choices.join("  ").length > (isNarrow ? 29 : 34);
  const hasBeside = isLong && item.differs && (!isNarrow || item.part !== null);
  const choose = (value: string) => edit.knob(item.key, value, "commit");
  const choices = item.choices.map((id) => ({
    id, label: id, isSelected: id === item.value,
    ...(item.differs && id === item.otherValue ? { detail: `${item.other} has this` } : {}),
  }));
  return (
    <div className="knob-row" onPointerDown={onHand} onFocus={onHand}>
      {label}
      {hasBeside ? <span className="knob-was">{besideValue(item)}</span> : null}
      {isLong && !item.isLocked ? (
        <MenuButton
          label={`${item.key}: ${item.value}`} className="choice-menu" groups={[{ title: item.key, choices }]}
          onChoose={choose}
        >
          <span>{item.value}</span>
          <Icon name="down" />
        </MenuButton>
      ) : (
        <Choice
          label={item.key} face="mono" options={item.choices.map((value) => ({ value, label: value }))}
          value={String(item.value)} ghost={item.differs ? String(item.otherValue) : null} isLocked={item.isLocked}
          onChange={choose}
        />
      )}
    </div>
  );
}

interface NumberKnobProps {
  readonly item: KnobItem;
  readonly label: ReactNode;
  readonly value: number;
  readonly edit: KnobEdit;
  readonly onHand: () => void;
}

function NumberKnob({ item, label, value, edit, onHand }: NumberKnobProps) {
  const field = useRef<NumberFieldHandle>(null);
  // Of the value that it was typed over: another by any way takes it back.
  const [refused, setRefused] = useState({ why: "", at: value });
  const wrong = refused.at === value ? refused.why : "";
  const said = useId();
  const beside = besideValue(item);
  const ghost = item.before !== null && item.before !== value ? item.before : item.differs ? item.otherValue : null;
  return (
    <>
      <div className="knob-row">
        {label}
        {beside === null ? null : <span className="knob-was">{beside}</span>}
        <NumberField
          ref={field} label={`${item.key}, type a number`} value={value} text={shownValue(value)} range={item.range}
          isLocked={item.isLocked} onCommit={(next) => edit.knob(item.key, next, "commit")} onHand={onHand}
          read={(typed) => readTyped(item, typed)} onWrong={(why) => setRefused({ why, at: value })}
          wrongId={wrong === "" ? undefined : said}
        />
        <span className="knob-unit">{unitBeside(item, value)}</span>
      </div>
      {wrong === "" ? null : (
        <p id={said} className="knob-wrong" role="alert">
          {wrong}
        </p>
      )}
      <Slider
        label={item.key} range={item.range} value={value} valueText={spokenValue(item)}
        tick={typeof item.standard === "number" ? item.standard : null} ghost={typeof ghost === "number" ? ghost : null}
        isLocked={item.isLocked} isInHand={item.before !== null}
        onChange={(next, phase) => edit.knob(item.key, next, phase)}
        onTyped={(digit) => field.current?.startWith(digit)} onHand={onHand}
      />
    </>
  );
}
