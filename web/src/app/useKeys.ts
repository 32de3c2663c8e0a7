import { useEffect } from "react";

/** Where keys have a meaning of their own: fields for text, choices, menus, and what stands before the page. */
const OWN = "textarea, input[type=text], select, [role=menu], dialog";

/** Keys of the whole page: undo, redo, the timeline, help. */
export function useKeys(onPast: (kind: "undo" | "redo") => void, onTimeline: () => void, onHelp: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || (event.target as Partial<Element>).closest?.(OWN)) return;
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
