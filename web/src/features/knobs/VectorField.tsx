import { useState } from "react";
import { besideValue, shownValue, type KnobItem, type OnKnob } from "./item";

/** A list of numbers is typed: 1, 1.25. */
export function VectorField({ item, onKnob, onHand }: { readonly item: KnobItem; readonly onKnob: OnKnob; readonly onHand: () => void }) {
  const [draft, setDraft] = useState<string | null>(null);
  const take = () => {
    if (draft !== null && draft.trim() !== String(item.value)) onKnob(item.key, draft.replace(/\s+/g, ""), "commit");
    setDraft(null);
  };
  const beside = besideValue(item);
  return (
    <div className="knob-row">
      <span className="knob-name" title={item.key}>{item.key}</span>
      {beside === null ? null : <span className="knob-was">{beside}</span>}
      <input
        className="knob-value" type="text" aria-label={item.key} style={{ width: Math.min(150, Math.max(40, (draft ?? shownValue(item.value)).length * 8)) }} disabled={item.isLocked} value={draft ?? shownValue(item.value)}
        onFocus={onHand} onChange={(event) => setDraft(event.target.value)} onBlur={take}
        onKeyDown={(event) => {
          if (event.key === "Enter") take();
          if (event.key === "Escape") setDraft(null);
        }}
      />
      <span className="knob-unit">{item.unit ?? ""}</span>
    </div>
  );
}
