import { useId } from "react";
import { LineSample } from "../../ui/LineSample";
import { SideName } from "../../ui/SideName";

export interface SidesProps {
  readonly side: "A" | "B" | "both";
  readonly nameA: string;
  readonly nameB: string;
  readonly onSide: (side: "A" | "B" | "both") => void;
}

/** Which side a knob turns: A, B, or both with the difference in view. */
export function Sides({ side, nameA, nameB, onSide }: SidesProps) {
  const name = useId();
  const words = { A: `A ${nameA}`, B: `B ${nameB}`, both: "B − A" } as const;
  return (
    <div className="sides" role="radiogroup" aria-label="Which side the knobs turn">
      {(["A", "B", "both"] as const).map((one) => (
        <label key={one} className="side" data-side={one} data-selected={one === side || undefined}>
          <input
            className="unseen" type="radio" name={name} value={one} checked={one === side} onChange={() => onSide(one)}
          />
          {one === "both" ? null : <LineSample side={one} />}
          <SideName text={words[one]} />
        </label>
      ))}
    </div>
  );
}
