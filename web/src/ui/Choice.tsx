import type { ReactNode } from "react";
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";

export interface Option {
  readonly value: string;
  readonly label: ReactNode;
}

export interface ChoiceProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string;
  /** A's choice, underlined with dashes. */
  readonly ghost?: string | null;
  readonly face?: "mono" | "fine" | "plain";
  readonly isLocked?: boolean;
  readonly onChange: (value: string) => void;
  readonly onHand?: (() => void) | undefined;
}

/** A few words of which one is underlined. */
export function Choice({ label, options, value, ghost = null, face = "plain", isLocked = false, onChange, onHand }: ChoiceProps) {
  return (
    <RadioGroup className="choice" data-face={face} aria-label={label} orientation="horizontal" value={value} isDisabled={isLocked} onChange={onChange} {...(onHand === undefined ? {} : { onFocus: onHand })}>
      {options.map((option) => (
        <Radio key={option.value} value={option.value} className="choice-option" data-ghost={(ghost !== null && ghost !== value && option.value === ghost) || undefined}>
          <span>{option.label}</span>
        </Radio>
      ))}
    </RadioGroup>
  );
}
