import { useImperativeHandle, useRef, useState, type FocusEvent, type KeyboardEvent, type Ref } from "react";
import { formatKnob, parseTyped } from "../units";
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
  readonly onCommit: (value: number) => void;
  readonly onHand?: () => void;
  readonly ref?: Ref<NumberFieldHandle>;
}

/** The value as text until it is touched; then a field. Enter takes, Escape leaves, arrows step. */
export function NumberField({ label, value, text, range, isLocked, onCommit, onHand, ref }: NumberFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const isStarted = useRef(false);
  useImperativeHandle(ref, () => ({
    startWith: (first) => {
      isStarted.current = true;
      setDraft(first);
      input.current?.focus();
    },
  }), []);
  const take = () => {
    const typed = draft === null ? null : parseTyped(draft);
    setDraft(null);
    if (typed !== null) {
      const bounded = Math.min(range.max, Math.max(range.min, typed));
      const next = range.isWhole ? Math.round(bounded) : bounded;
      if (next !== value) onCommit(next);
    }
  };
  const onFocus = (event: FocusEvent<HTMLInputElement>) => {
    onHand?.();
    const hasFirstDigit = isStarted.current;
    isStarted.current = false;
    if (hasFirstDigit) return;
    const field = event.target;
    setDraft(formatKnob(value));
    requestAnimationFrame(() => field.select());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") take();
    else if (event.key === "Escape") setDraft(null);
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const next = nudge(range, value, event.key === "ArrowUp" ? 1 : -1, 1);
      setDraft(null);
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
      onBlur={take}
    />
  );
}
