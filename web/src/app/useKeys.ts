import { useEffect } from "react";

/** Where keys have a meaning of their own: fields for text, choices, menus. */
const OWN = "textarea, select, [role=menu], input[type=text]";

type OnPast = (kind: "undo" | "redo") => void;

export const onKey = (onPast: OnPast, onTimeline: () => void, onHelp: () => void) => (event: KeyboardEvent) => {
  const isCommand = event.ctrlKey || event.metaKey;
  // A field that shows what the scenario holds has nothing of its own to undo: the browser would bring back old text.
  const own = isCommand ? `${OWN}:not([data-kept])` : OWN;
  if (event.defaultPrevented || (event.target as Partial<Element>).closest?.(own)) return;
  // A press on plain text in a dialog leaves the focus to the page behind it.
  if (document.querySelector(":modal") !== null) return;
  const key = event.key.toLowerCase();
  if (isCommand && key === "z") onPast(event.shiftKey ? "redo" : "undo");
  else if (isCommand && key === "y") onPast("redo");
  else if (!isCommand && key === "?") onHelp();
  else if (!isCommand && !event.altKey && key === "t") onTimeline();
  else return;
  event.preventDefault();
};

/** Keys of the whole page: undo, redo, the timeline, help. */
export function useKeys(onPast: OnPast, onTimeline: () => void, onHelp: () => void): void {
  useEffect(() => {
    const onKeyDown = onKey(onPast, onTimeline, onHelp);
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [onPast, onTimeline, onHelp]);
}
