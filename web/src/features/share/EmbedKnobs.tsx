import type { ShownKnob } from "./embedSnippet";

/** A knob that a frame can show. */
export interface KnobOffer {
  readonly key: string;
  /** Its key without the host or instance. */
  readonly base: string;
  readonly group: string;
  readonly kind: "integer" | "number" | "choice" | "vector" | "cpus";
  readonly limits: { readonly min: number | null; readonly max: number | null };
  readonly range: { readonly min: number; readonly max: number };
}

export interface EmbedKnobsProps {
  readonly knobs: readonly ShownKnob[];
  readonly items: readonly KnobOffer[];
  readonly onKnobs: (knobs: readonly ShownKnob[]) => void;
}

/** A range is of numbers, and the same for all hosts and instances. */
const hasRange = (item: KnobOffer | undefined): boolean =>
  item !== undefined && item.key === item.base && !item.key.includes("@")
  && (item.kind === "integer" || item.kind === "number");

/** Which knobs the frame shows, which of them are locked, and how far they go. */
export function EmbedKnobs({ knobs, items, onKnobs }: EmbedKnobsProps) {
  const change = (key: string, more: Partial<ShownKnob>) =>
    onKnobs(knobs.map((knob) => (knob.key === key ? { ...knob, ...more } : knob)));
  const others = items.filter(({ key }) => knobs.every((knob) => knob.key !== key));
  const groups = [...new Set(others.map(({ group }) => group))];
  return (
    <fieldset className="embed-knobs">
      <legend>Knobs</legend>
      {knobs.length === 0 ? <p className="mute">None is chosen: the frame shows all.</p> : null}
      {knobs.map(({ key, isLocked, from, to }) => (
        <div key={key} className="embed-knob">
          <span className="mono" title={key}>
            {key}
          </span>
          {hasRange(items.find((item) => item.key === key)) ? (
            <span className="embed-ends">
              {(["from", "to"] as const).map((end) => (
                <input
                  key={end} type="text" inputMode="decimal" aria-label={`${key}, ${end}`} placeholder={end}
                  value={end === "from" ? from : to}
                  onChange={(event) => change(key, { [end]: event.target.value.replace(/[^\d.e-]/g, "") })}
                />
              ))}
            </span>
          ) : (
            <span className="embed-ends" />
          )}
          <label>
            <input
              type="checkbox" checked={isLocked} aria-label={`${key}, locked`}
              onChange={() => change(key, { isLocked: !isLocked })}
            />{" "}
            locked
          </label>
          <button
            type="button" className="link" aria-label={`Leave out ${key}`}
            onClick={() => onKnobs(knobs.filter((knob) => knob.key !== key))}
          >
            leave out
          </button>
        </div>
      ))}
      <select
        aria-label="Add a knob" value=""
        onChange={(event) => onKnobs([...knobs, { key: event.target.value, isLocked: false, from: "", to: "" }])}
      >
        <option value="" disabled>
          Add a knob …
        </option>
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            {others
              .filter((item) => item.group === group)
              .map(({ key }) => (
                <option key={key} value={key}>
                  {key}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </fieldset>
  );
}
