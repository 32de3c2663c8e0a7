import { useId, useState } from "react";
import { useLastAnswer } from "../../ui/lastAnswer";
import type { HostEdit } from "./LscpuPaste";

/** One number of the sentence: a knob of the host, its load or its instance. */
export interface HostNumber {
  readonly key: string;
  readonly value: number;
  readonly text: string;
  readonly isLocked: boolean;
  /** What is typed, as a value; or why it is none. */
  readonly read: (text: string) => { readonly value: number } | { readonly wrong: string };
}

interface Typing {
  readonly text: string;
  readonly over: number;
  readonly isWrong: boolean;
}

interface HostFieldProps {
  readonly number: HostNumber;
  /** Names what was said of it below the sentence. */
  readonly notesId: string | undefined;
  readonly edit: Pick<HostEdit, "knob" | "check">;
  readonly onWrong: (key: string, why: string, id: string) => void;
}

/** What the model refuses stays as it was typed, until it is mended or left with Escape. */
export function HostField({ number, notesId, edit, onWrong }: HostFieldProps) {
  const { key, value, text } = number;
  // Of the value that it was typed over: another by any way takes it back.
  const [typing, setTyping] = useState<Typing | null>(null);
  const id = useId();
  const last = useLastAnswer();
  const draft = typing?.over === value ? typing : null;
  const leave = () => {
    last.drop();
    setTyping(null);
    onWrong(key, "", id);
  };
  const refuse = (why: string) => {
    setTyping((was) => (was === null ? was : { ...was, isWrong: true }));
    onWrong(key, why, id);
  };
  const take = async () => {
    if (draft === null || draft.text.trim() === "" || draft.text === text) return leave();
    const typed = number.read(draft.text);
    if ("wrong" in typed) return refuse(typed.wrong);
    const checked = await last.of(edit.check(key, String(typed.value)));
    if (checked === null) return;
    if ("wrong" in checked) return refuse(checked.wrong);
    leave();
    if (typed.value !== value) edit.knob(key, typed.value, "commit");
  };
  const shown = draft?.text ?? text;
  const isWrong = draft?.isWrong ?? false;
  const told = [isWrong ? id : undefined, notesId].filter((one) => one !== undefined).join(" ");
  return (
    <input
      className="host-number" type="text" inputMode="decimal" autoComplete="off" spellCheck={false}
      aria-label={`${key} of your host`} aria-invalid={isWrong || undefined} aria-describedby={told || undefined}
      style={{ width: `${Math.max(2, shown.length) + 1.2}ch` }} disabled={number.isLocked} value={shown}
      data-kept={shown === text || undefined} onFocus={(event) => event.target.select()} onBlur={() => void take()}
      onChange={(event) => {
        last.drop();
        setTyping({ text: event.target.value, over: value, isWrong: false });
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") void take();
        else if (event.key === "Escape") leave();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
