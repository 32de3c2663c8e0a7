import { useId, useMemo, useState } from "react";
import type { TimelineIndex } from "../../analysis/timeline/timeline";
import { nameOf } from "../../analysis/timeline/words";

/** More than that nobody scrolls through: the number is typed. */
const MOST_OFFERED = 500;

/** The process to follow, by kind and number: type to search, or choose from the list. */
export function Picker({
  index, follow, onFollow,
}: {
  readonly index: TimelineIndex;
  readonly follow: number | null;
  readonly onFollow: (process: number | null) => void;
}) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const { offset } = index.own;
  const seen = useMemo(
    () =>
      Array.from({ length: offset.length - 1 }, (_, process) => process).filter(
        (process) => offset[process] !== offset[process + 1],
      ),
    [offset],
  );
  const take = (text: string) => {
    const number = /(\d+)\s*$/.exec(text)?.[1];
    const process = number === undefined ? null : Number(number);
    if (text.trim() === "") onFollow(null);
    else if (process !== null && seen.includes(process)) onFollow(process);
    setDraft(null);
  };
  const onType = (text: string) =>
    seen.some((process) => nameOf(index, process) === text) ? take(text) : setDraft(text);
  return (
    <span className="timeline-picker">
      <label htmlFor={id}>follow</label>
      <input
        id={id} type="text" list={`${id}-list`} autoComplete="off" spellCheck={false} placeholder="nobody"
        value={draft ?? (follow === null ? "" : nameOf(index, follow))} onFocus={(event) => event.target.select()}
        onChange={(event) => onType(event.target.value)}
        onBlur={() => {
          if (draft !== null) take(draft);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") take(draft ?? "");
          if (event.key === "Escape") {
            setDraft(null);
            onFollow(null);
          }
        }}
      />
      <datalist id={`${id}-list`}>
        {seen.slice(0, MOST_OFFERED).map((process) => (
          <option key={process}>{nameOf(index, process)}</option>
        ))}
      </datalist>
    </span>
  );
}
