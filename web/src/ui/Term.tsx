import { useId, useLayoutEffect, useRef, useState, type PointerEvent } from "react";
import { place } from "./MenuButton";

/** A pointer may leave the word for its explanation: so long this waits for it. */
const GRACE_MS = 250;

/**
 * A word with its explanation: under a mouse, with the focus of a keyboard, or tapped. It stays while the pointer is on
 * either, and goes with Escape or a press elsewhere, as the platform has it.
 */
export function Term({ text, words }: { readonly text: string; readonly words: string }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLSpanElement>(null);
  const timer = useRef(0);
  useLayoutEffect(() => {
    if (!isOpen || box.current === null || button.current === null) return;
    box.current.showPopover();
    place(box.current, button.current);
  }, [isOpen]);
  const enter = ({ pointerType }: PointerEvent) => {
    clearTimeout(timer.current);
    // To open would close a menu.
    if (pointerType === "mouse" && document.querySelector("[role=menu]") === null) setOpen(true);
  };
  const leave = ({ pointerType }: PointerEvent) => {
    if (pointerType === "mouse" && button.current?.matches(":focus-visible") === false)
      timer.current = window.setTimeout(setOpen, GRACE_MS, false);
  };
  return (
    <>
      <button
        ref={button} type="button" className="term" aria-describedby={isOpen ? id : undefined}
        onPointerEnter={enter} onPointerLeave={leave} onBlur={() => setOpen(false)}
        onFocus={({ target }) => target.matches(":focus-visible") && setOpen(true)}
        onClick={() => setOpen(true)}
      >
        {text}
      </button>
      {isOpen ? (
        <span
          ref={box} id={id} className="popover term-words" popover="auto" role="tooltip" onPointerEnter={enter}
          onPointerLeave={leave} onToggle={({ newState }) => setOpen(newState === "open")}
        >
          {words}
        </span>
      ) : null}
    </>
  );
}
