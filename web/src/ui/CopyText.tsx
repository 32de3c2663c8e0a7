import { useState } from "react";

/** A text to take along. Where the clipboard is refused, the text is selected instead. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const [said, setSaid] = useState("");
  const copy = async (from: HTMLElement | null) => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      if (from !== null) getSelection()?.selectAllChildren(from);
      setSaid("Selected");
    }
    setTimeout(() => setSaid(""), 2000);
  };
  return (
    <div className="copy">
      <code tabIndex={0} role="textbox" aria-readonly="true" aria-label={label}>
        {text}
      </code>
      <button
        type="button" aria-label={`Copy: ${label}`}
        onClick={(event) => void copy(event.currentTarget.parentElement?.querySelector("code") ?? null)}
      >
        <span aria-live="polite">{said || "Copy"}</span>
      </button>
    </div>
  );
}
