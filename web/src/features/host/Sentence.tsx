import { useCallback, useId, useState } from "react";
import { formatCount } from "../../units";
import { Icon } from "../../ui/Icon";
import { MenuButton } from "../../ui/MenuButton";
import { HostField, type HostNumber } from "./HostField";
import type { HostEdit } from "./LscpuPaste";
import type { Named } from "./lscpu";

export const hostNumbers = [
  "sockets", "cores_per_socket", "threads_per_core", "sessions", "think_time_ms", "cpu_count",
] as const;
export type NumberKey = (typeof hostNumbers)[number];

export interface Scheduler {
  readonly key: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly isLocked: boolean;
}

export interface SentenceProps {
  readonly numbers: Readonly<Record<NumberKey, HostNumber>>;
  readonly scheduler: Scheduler;
  /** Those of the sentence that change nothing here. */
  readonly idle: readonly string[];
  readonly hosts: number;
  /** Hosts differ in what the sentence says. */
  readonly isMixed: boolean;
  /** What was said of a number, to stand below the sentence. */
  readonly named: readonly Named[];
  readonly edit: HostEdit;
}

/** "session", "sessions": the word alone. */
const many = (one: string, count: number): string => (count === 1 ? one : `${one}s`);

/** The host, its load and its cage, each number a field. */
export function Sentence({ numbers, scheduler, hosts, isMixed, idle, named, edit }: SentenceProps) {
  const [wrong, setWrong] = useState<Readonly<Record<string, { readonly why: string; readonly id: string }>>>({});
  const notes = useId();
  const onWrong = useCallback((key: string, why: string, id: string) => {
    setWrong((was) => ({ ...was, [key]: { why, id } }));
  }, []);
  const field = (key: NumberKey) => (
    <HostField
      number={numbers[key]} notesId={named.some(({ knob }) => knob === key) ? notes : undefined} edit={edit}
      onWrong={onWrong}
    />
  );
  const of = (key: NumberKey): number => numbers[key].value;
  const threads = of("sockets") * of("cores_per_socket") * of("threads_per_core");
  const sessions = of("sessions");
  return (
    <>
      <div className="host-line">
        {hosts > 1 ? <span>Each of {formatCount(hosts)} hosts:</span> : null}
        <span>{field("sockets")} {many("socket", of("sockets"))} ×</span>
        <span>{field("cores_per_socket")} {many("core", of("cores_per_socket"))} ×</span>
        <span>{field("threads_per_core")} {many("thread", of("threads_per_core"))}</span>
        <span>= <b>{formatCount(threads)}</b> under</span>
        <SchedulerMenu scheduler={scheduler} edit={edit} />
        <span>{threads === 1 ? "serves" : "serve"} {field("sessions")} {many("session", sessions)}</span>
        <span>that {sessions === 1 ? "thinks" : "think"} {field("think_time_ms")} ms,</span>
        <span>with <span className="mono">cpu_count</span> {field("cpu_count")}</span>
      </div>
      {Object.entries(wrong).map(([key, { why, id }]) =>
        why === "" ? null : (
          <p key={key} id={id} className="knob-wrong" role="alert">
            {why}
          </p>
        ),
      )}
      {named.length === 0 ? null : (
        <ul id={notes} className="host-named">
          {named.map(({ knob, text }) => (
            <li key={text}>
              <span className="mono">{knob}</span>: {text}
            </li>
          ))}
        </ul>
      )}
      {isMixed ? <p className="fine mute">The hosts differ in this; a number here sets all of them.</p> : null}
      {idle.length === 0 ? null : (
        <p className="fine mute">
          <span className="mono">{idle.join(", ")}</span> {idle.length === 1 ? "does" : "do"} not act here.
        </p>
      )}
    </>
  );
}

function SchedulerMenu({ scheduler, edit }: Pick<SentenceProps, "scheduler" | "edit">) {
  const { key, value, choices, isLocked } = scheduler;
  if (isLocked) return <span className="mono">{value}</span>;
  const items = choices.map((id) => ({ id, label: id, isSelected: id === value }));
  return (
    <MenuButton
      label={`${key} of your host: ${value}`} className="choice-menu" groups={[{ title: key, choices: items }]}
      onChoose={(id) => edit.knob(key, id, "commit")}
    >
      <span>{value}</span>
      <Icon name="down" />
    </MenuButton>
  );
}
