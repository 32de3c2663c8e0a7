import {
  useCallback, useImperativeHandle, useRef, useState, type FocusEvent, type KeyboardEvent, type Ref,
} from "react";
import { formatKnob } from "../units";
import { nudge, snap, type Range } from "./scale";

export interface NumberFieldHandle {
  readonly startWith: (text: string) => void;
}

export interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  readonly range: Range;
  readonly isLocked: boolean;
  /** What is typed, as a value; or why it is none. */
  readonly read: (text: string) => { readonly value: number } | { readonly wrong: string };
  readonly onCommit: (value: number) => void;
  /** What was typed is not taken; empty: nothing is wrong any more. */
  readonly onWrong: (why: string) => void;
  /** Names what says why. */
  readonly wrongId: string | undefined;
  readonly onHand?: () => void;
  readonly ref?: Ref<NumberFieldHandle>;
}

/** The value as text until it is touched; then a field. Enter takes, Escape leaves, arrows step. */
export function NumberField(
  { label, value, text, range, isLocked, read, onCommit, onWrong, wrongId, onHand, ref }: NumberFieldProps,
) {
  const input = useRef<HTMLInputElement>(null);
  // Of the value that it was typed over: another by any way takes it back.
  const [typing, setTyping] = useState<{ readonly text: string; readonly over: number } | null>(null);
  const draft = typing?.over === value ? typing.text : null;
  const setDraft = useCallback((next: string | null) => {
    setTyping(next === null ? null : { text: next, over: value });
  }, [value]);
  const isKept = draft === null || draft === formatKnob(value);
  const isStarted = useRef(false);
  useImperativeHandle(ref, () => ({
    startWith: (first) => {
      isStarted.current = true;
      setDraft(first);
      input.current?.focus();
    },
  }), [setDraft]);
  const leave = () => {
    setDraft(null);
    onWrong("");
  };
  const take = () => {
    if (isKept || draft.trim() === "") return leave();
    const typed = read(draft);
    if ("wrong" in typed) return onWrong(typed.wrong);
    leave();
    if (typed.value !== value) onCommit(typed.value);
  };
  const onFocus = (event: FocusEvent<HTMLInputElement>) => {
    onHand?.();
    const hasFirstDigit = isStarted.current;
    isStarted.current = false;
    if (hasFirstDigit) return;
    const field = event.target;
    // What is refused stays to be mended.
    if (wrongId === undefined) setDraft(formatKnob(value));
    requestAnimationFrame(() => {
      if (document.activeElement === field) field.select();
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") take();
    else if (event.key === "Escape") leave();
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const next = nudge(range, value, event.key === "ArrowUp" ? 1 : -1, 1);
      leave();
      if (next !== value) onCommit(snap(range, next));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <input
      ref={input} className="knob-value" style={{ width: Math.min(104, Math.max(40, (draft ?? text).length * 8.6)) }}
      type="text" inputMode="decimal" autoComplete="off" spellCheck={false} aria-label={label} value={draft ?? text}
      disabled={isLocked} onChange={(event) => setDraft(event.target.value)} onKeyDown={onKeyDown} onFocus={onFocus}
      data-kept={isKept || undefined} onBlur={take} aria-invalid={wrongId !== undefined || undefined}
      aria-describedby={wrongId}
    />
  );
}
