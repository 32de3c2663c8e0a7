import { useId, type ReactNode } from "react";

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
}

/** A few words of which one is underlined. */
export function Choice({
  label, options, value, ghost = null, face = "plain", isLocked = false, onChange,
}: ChoiceProps) {
  const name = useId();
  return (
    <div className="choice" data-face={face} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label
          key={option.value} className="choice-option" data-selected={option.value === value || undefined}
          data-ghost={(ghost !== null && ghost !== value && option.value === ghost) || undefined}
          data-disabled={isLocked || undefined}
        >
          <input
            className="unseen" type="radio" name={name} value={option.value} checked={option.value === value}
            disabled={isLocked} onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}
