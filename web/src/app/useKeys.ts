import { useEffect } from "react";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "text");
}

/** Keys of the whole page: undo, redo, help. */
export function useKeys(onPast: (kind: "undo" | "redo") => void, onHelp: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.defaultPrevented) return;
      const key = event.key.toLowerCase();
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand && key === "z") onPast(event.shiftKey ? "redo" : "undo");
      else if (isCommand && key === "y") onPast("redo");
      else if (!isCommand && key === "?") onHelp();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [onPast, onHelp]);
}
