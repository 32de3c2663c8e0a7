import { Radio, RadioGroup } from "react-aria-components/RadioGroup";
import { LineSample } from "../../ui/LineSample";

export interface SidesProps {
  readonly side: "A" | "B" | "both";
  readonly nameA: string;
  readonly nameB: string;
  readonly onSide: (side: "A" | "B" | "both") => void;
}

/** Which side a knob turns: A, B, or both with the difference in view. */
export function Sides({ side, nameA, nameB, onSide }: SidesProps) {
  return (
    <RadioGroup className="sides" aria-label="Which side the knobs turn" orientation="horizontal" value={side} onChange={(value) => onSide(value as SidesProps["side"])}>
      <Radio value="A" className="side" data-side="A"><LineSample side="A" /><span>A {nameA}</span></Radio>
      <Radio value="B" className="side" data-side="B"><LineSample side="B" /><span>B {nameB}</span></Radio>
      <Radio value="both" className="side" data-side="both"><span>B − A</span></Radio>
    </RadioGroup>
  );
}
