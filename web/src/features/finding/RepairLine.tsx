export interface RepairLineProps {
  readonly repair: { readonly key: string; readonly side: "A" | "B" | "both"; readonly words: readonly string[] };
  readonly onRepair: (word: string) => void;
}

/** Beside a refusal: what may stand where the value stands that cannot be. */
export function RepairLine({ repair, onRepair }: RepairLineProps) {
  return (
    <p className="notice">
      Set <span className="mono">{repair.key}</span>{repair.side === "both" ? "" : ` of ${repair.side}`} to:
      {repair.words.map((word) => (
        <span key={word}>
          {" "}
          <button type="button" className="link" onClick={() => onRepair(word)}>
            {word}
          </button>
        </span>
      ))}
    </p>
  );
}
