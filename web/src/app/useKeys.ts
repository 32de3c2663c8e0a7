import { useEffect } from "react";

/** Where keys have a meaning of their own: fields for text, choices, menus. */
const OWN = "textarea, input[type=text], select, [role=menu]";

/** Keys of the whole page: undo, redo, the timeline, help. */
export function useKeys(onPast: (kind: "undo" | "redo") => void, onTimeline: () => void, onHelp: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || (event.target as Partial<Element>).closest?.(OWN)) return;
      // A press on plain text in a dialog leaves the focus to the page behind it.
      if (document.querySelector(":modal") !== null) return;
      const key = event.key.toLowerCase();
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand && key === "z") onPast(event.shiftKey ? "redo" : "undo");
      else if (isCommand && key === "y") onPast("redo");
      else if (!isCommand && key === "?") onHelp();
      else if (!isCommand && !event.altKey && key === "t") onTimeline();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [onPast, onTimeline, onHelp]);
}
