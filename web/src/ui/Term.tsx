import { useEffect, useId, useLayoutEffect, useRef, useState, type PointerEvent } from "react";
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
  useEffect(() => () => clearTimeout(timer.current), []);
  useLayoutEffect(() => {
    const [own, word] = [box.current, button.current];
    if (!isOpen || own === null || word === null) return;
    own.showPopover();
    place(own, word);
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === "closed") setOpen(false);
    };
    own.addEventListener("toggle", onToggle);
    return () => own.removeEventListener("toggle", onToggle);
  }, [isOpen]);
  const enter = ({ pointerType }: PointerEvent) => {
    clearTimeout(timer.current);
    // To open would close a menu.
    if (pointerType === "mouse" && document.querySelector("[role=menu]") === null) setOpen(true);
  };
  const leave = ({ pointerType }: PointerEvent) => {
    const hasFocus = document.activeElement === button.current && button.current?.matches(":focus-visible") === true;
    if (pointerType === "mouse" && !hasFocus)
      timer.current = window.setTimeout(() => setOpen(false), GRACE_MS);
  };
  return (
    <>
      <button
        ref={button} type="button" className="term" aria-describedby={isOpen ? id : undefined} popoverTarget={id}
        onPointerEnter={enter} onPointerLeave={leave} onBlur={() => setOpen(false)}
        onFocus={({ target }) => target.matches(":focus-visible") && setOpen(true)}
        onClick={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
      >
        {text}
      </button>
      {isOpen ? (
        <span
          ref={box} id={id} className="popover term-words" popover="auto" role="tooltip" onPointerEnter={enter}
          onPointerLeave={leave}
        >
          {words}
        </span>
      ) : null}
    </>
  );
}
