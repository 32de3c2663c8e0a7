import { Choice } from "./Choice";

export interface HostChoiceProps {
  /** What is chosen with it: "Charts of". */
  readonly of: string;
  /** Counted from 1; null: all. */
  readonly host: number | null;
  readonly hosts: number;
  readonly onHost: (host: number | null) => void;
}

const ALL = "all";

/** One host, or all of them side by side; nothing where there is but one. */
export function HostChoice({ of, host, hosts, onHost }: HostChoiceProps) {
  if (hosts < 2) return null;
  const each = Array.from({ length: hosts }, (_, i) => ({ value: String(i + 1), label: `host ${i + 1}` }));
  return (
    <div className="hosts">
      <span aria-hidden="true">{of}</span>
      <Choice
        label={`${of} which host`} face="fine" value={host === null ? ALL : String(host)}
        options={[...each, { value: ALL, label: "side by side" }]}
        onChange={(value) => onHost(value === ALL ? null : Number(value))}
      />
    </div>
  );
}
