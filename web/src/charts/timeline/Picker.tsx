import { useId, useMemo, useState } from "react";
import { neighbourIn, processesFor, seenIn } from "../../analysis/timeline/find";
import type { TimelineIndex } from "../../analysis/timeline/timeline";
import { kindName } from "../../analysis/timeline/follow";
import { nameOf } from "../../analysis/timeline/words";

/** More than that nobody scrolls through: the number is typed. */
const MOST_OFFERED = 500;

/** Finds processes by kind, name or number, and follows one after another of those found. */
export function Picker({
  index, follow, onFollow, onFound,
}: {
  readonly index: TimelineIndex;
  readonly follow: number | null;
  readonly onFollow: (process: number | null) => void;
  /** It is to be seen. */
  readonly onFound: (process: number) => void;
}) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [query, setQuery] = useState("");
  const seen = useMemo(() => seenIn(index), [index]);
  const found = useMemo(() => {
    const asked = processesFor(index, query);
    if (follow === null) return asked;
    return asked.length > 1 && asked.includes(follow)
      ? asked
      : processesFor(index, kindName(index.recording, follow));
  }, [index, query, follow]);
  const place = follow === null ? -1 : found.indexOf(follow);
  const go = (process: number | null) => {
    if (process === null) return;
    onFollow(process);
    onFound(process);
  };
  const take = (text: string) => {
    setDraft(null);
    setQuery(text);
    const all = processesFor(index, text);
    if (text.trim() === "") onFollow(null);
    else go(follow !== null && all.includes(follow) ? follow : (all[0] ?? null));
  };
  const step = (by: 1 | -1) => go(neighbourIn(found.length > 0 ? found : seen, follow, by));
  const isNone = draft !== null && draft.trim() !== "" && processesFor(index, draft).length === 0;
  return (
    <span className="timeline-picker" role="search">
      <label htmlFor={id}>Search</label>
      <input
        id={id} type="text" list={`${id}-list`} autoComplete="off" spellCheck={false} placeholder="kind or number"
        value={draft ?? (follow === null ? "" : nameOf(index, follow))} onFocus={(event) => event.target.select()}
        onChange={({ target: { value } }) =>
          seen.some((process) => nameOf(index, process) === value) ? take(value) : setDraft(value)}
        onBlur={() => {
          if (draft !== null) take(draft);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && draft !== null) take(draft);
          if (event.key === "Escape") {
            setDraft(null);
            setQuery("");
            onFollow(null);
          }
        }}
      />
      <button type="button" aria-label="Previous found" onClick={() => step(-1)}>‹</button>
      <button type="button" aria-label="Next found" onClick={() => step(1)}>›</button>
      <span className="timeline-found mute" role="status">
        {isNone ? "none" : place < 0 ? "" : `${place + 1} of ${found.length}`}
      </span>
      <datalist id={`${id}-list`}>
        {seen.slice(0, MOST_OFFERED).map((process) => (
          <option key={process}>{nameOf(index, process)}</option>
        ))}
      </datalist>
    </span>
  );
}
