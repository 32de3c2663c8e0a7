import { useId, useState, type ReactNode } from "react";
import { useLastAnswer } from "../../ui/lastAnswer";
import { besideValue, shownValue, type KnobEdit, type KnobItem } from "./item";

interface TextFieldProps {
  readonly item: KnobItem;
  readonly label: ReactNode;
  readonly edit: KnobEdit;
  readonly onHand: () => void;
}

/** A list is typed: numbers as in 1/1.25, CPUs as in 0-21,44-65. The decoder has the last word, and says it here. */
export function TextField({ item, label, edit, onHand }: TextFieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [wrong, setWrong] = useState("");
  const said = useId();
  const last = useLastAnswer();
  const isCpus = item.kind === "cpus";
  const plain = isCpus ? String(item.value) : shownValue(item.value);
  const leave = () => {
    last.drop();
    setDraft(null);
    setWrong("");
  };
  const take = async () => {
    const text = (draft ?? "").replace(/\s+/g, "");
    if (draft === null || text === String(item.value).replace(/\s+/g, "") || text === plain.replace(/\s+/g, ""))
      return leave();
    const checked = await last.of(edit.check(item.key, text));
    if (checked === null) return;
    if ("wrong" in checked) return setWrong(checked.wrong);
    edit.knob(item.key, isCpus ? checked.value : text, "commit");
    leave();
  };
  const type = (text: string) => {
    last.drop();
    setDraft(text);
  };
  const beside = besideValue(item);
  const shown = draft ?? plain;
  return (
    <>
      <div className="knob-row">
        {label}
        {beside === null ? null : <span className="knob-was">{beside}</span>}
        <input
          className="knob-value" type="text" aria-label={item.key} aria-invalid={wrong !== "" || undefined}
          aria-describedby={wrong === "" ? undefined : said} autoComplete="off" spellCheck={false}
          style={{ width: Math.min(150, Math.max(40, shown.length * 8)) }} disabled={item.isLocked} value={shown}
          title={shown} data-kept={shown === plain || undefined} onFocus={onHand} onBlur={() => void take()}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") void take();
            if (event.key === "Escape") leave();
          }}
        />
        <span className="knob-unit">{item.unit ?? ""}</span>
      </div>
      {wrong === "" ? null : (
        <p id={said} className="knob-wrong" role="alert">
          {wrong}
        </p>
      )}
    </>
  );
}
