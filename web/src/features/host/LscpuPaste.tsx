import { useId, useState } from "react";
import { useLastAnswer } from "../../ui/lastAnswer";
import { formatCount } from "../../units";
import { readLscpu, type Lscpu, type Named, type Shape } from "./lscpu";

export type Values = Readonly<Record<string, number | string>>;

/** What a hand may do to the knobs of the form. */
export interface HostEdit {
  readonly knob: (key: string, value: number | string, phase: "commit") => void;
  readonly knobs: (values: Values) => void;
  readonly check: (
    key: string, text: string, beside?: Values,
  ) => Promise<{ readonly value: number | string } | { readonly wrong: string }>;
}

export interface LscpuText {
  readonly text: string;
  readonly found: Lscpu | null;
  readonly onText: (text: string) => void;
}

/** The text is read as it comes in; what it says for certain is set in one step. */
export function useLscpu(
  edit: HostEdit, yieldsOf: (threads: number, isPower: boolean) => Values, scheduler: string,
): LscpuText {
  const [state, setState] = useState<Pick<LscpuText, "text" | "found">>({ text: "", found: null });
  const last = useLastAnswer();
  const fill = async (text: string, found: Lscpu, { cores_per_socket: cores, ...beside }: Shape): Promise<void> => {
    const checked = await last.of(edit.check("cores_per_socket", String(cores), beside));
    if (checked === null) return;
    if ("wrong" in checked) {
      const note = { knob: "cores_per_socket", text: `${checked.wrong}.` } as const;
      return setState({ text, found: { ...found, shape: null, notes: [...found.notes, note] } });
    }
    edit.knobs({ ...found.shape, ...yieldsOf(beside.threads_per_core, found.isPower) });
  };
  const onText = (text: string): void => {
    last.drop();
    const found = text.trim() === "" ? null : readLscpu(text, scheduler);
    setState({ text, found });
    if (found !== null && found.shape !== null) void fill(text, found, found.shape);
  };
  return { ...state, onText };
}

/** Beside which knob what stands; null: of all. */
export function notesOf({ found }: LscpuText, isOfKnob: boolean): readonly Named[] {
  return found?.notes.filter(({ knob }) => (knob !== null) === isOfKnob) ?? [];
}

/** What was read, in one sentence. */
function readText({ lines, read, shape }: Lscpu): string {
  const counted = `${formatCount(read)} of ${formatCount(lines)} lines read`;
  if (shape === null) return `${counted}. Nothing is filled in.`;
  const { sockets, cores_per_socket: cores, threads_per_core: threads, cores_per_llc: shared } = shape;
  const caches = shared === 0 ? "" : `, ${shared} ${shared === 1 ? "core" : "cores"} a last-level cache`;
  const all = formatCount(sockets * cores * threads);
  return `${counted}: ${sockets} × ${cores} × ${threads} = ${all} threads${caches}.`;
}

export function LscpuPaste({ lscpu }: { readonly lscpu: LscpuText }) {
  const id = useId();
  return (
    <div className="host-paste">
      <label htmlFor={id}>
        Output of <code>lscpu</code> or <code>lscpu -J</code>. It is read here and sent nowhere.
      </label>
      <textarea
        id={id} rows={6} spellCheck={false} value={lscpu.text} onChange={(event) => lscpu.onText(event.target.value)}
      />
      <div role="status">
        {lscpu.found === null ? null : <p>{readText(lscpu.found)}</p>}
        {notesOf(lscpu, false).map((note) => (
          <p key={note.text}>{note.text}</p>
        ))}
      </div>
    </div>
  );
}
