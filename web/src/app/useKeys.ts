import { useEffect } from "react";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "text");
}

/** Where a letter has a meaning of its own. */
const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("[role=menu], [role=dialog]") !== null;

/** Keys of the whole page: undo, redo, the timeline, help. */
export function useKeys(onPast: (kind: "undo" | "redo") => void, onTimeline: () => void, onHelp: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.defaultPrevented) return;
      const key = event.key.toLowerCase();
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand && key === "z") onPast(event.shiftKey ? "redo" : "undo");
      else if (isCommand && key === "y") onPast("redo");
      else if (!isCommand && key === "?") onHelp();
      else if (!isCommand && !event.altKey && key === "t" && !isTaken(event.target)) onTimeline();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [onPast, onTimeline, onHelp]);
}
