/** A knob as the column shows it: its row of the catalogue and its values on both sides. */
import type { Range } from "../../ui/scale";
import { formatKnob, NONE, parseTyped, unitOf } from "../../units";

export type Value = number | string;

export interface KnobItem {
  /** With its scope: `cpu_count@instance2`. */
  readonly key: string;
  readonly group: string;
  /** The group's place among the others. */
  readonly groupAt: number;
  readonly kind: "integer" | "number" | "choice" | "vector" | "cpus";
  readonly unit: string | null;
  /** Of its slider; a number may be typed that lies outside. */
  readonly range: Range;
  /** What the model takes; null: no end. */
  readonly limits: { readonly min: number | null; readonly max: number | null };
  readonly choices: readonly string[];
  readonly standard: Value;
  readonly status: "constant" | "calibrated" | "free";
  readonly needsRestart: boolean;
  /** Of the side that it turns. */
  readonly value: Value;
  /** Of the other side, and which that is. */
  readonly otherValue: Value;
  readonly other: "A" | "B";
  readonly isMoved: boolean;
  /** Stands open; the others are behind "more". */
  readonly isPrincipal: boolean;
  /** It can change something in this scenario, on either side. */
  readonly acts: boolean;
  /** The instance or host it speaks of, where it is one of several; null: all. */
  readonly part: string | null;
  /** Its key without that part. */
  readonly base: string;
  /** The host of that part, where there are several hosts. */
  readonly host: number | null;
  /** Its parts differ, on either side. */
  readonly isMixed: boolean;
  /** Something is said of this part alone. */
  readonly isSaid: boolean;
  readonly differs: boolean;
  readonly isLocked: boolean;
  /** The value before the drag that is going on. */
  readonly before: Value | null;
  /** What the knob's value leads to, for the ear. */
  readonly result: string;
}

/** What a hand may do to knobs. */
export interface KnobEdit {
  readonly knob: OnKnob;
  /** Several that belong together, in one step. */
  readonly knobs: (values: Readonly<Record<string, Value>>) => void;
  /** What the decoder says of a text, others set as well: how it is written, or what is wrong with it. */
  readonly check: (
    key: string, text: string, beside?: Readonly<Record<string, Value>>,
  ) => Promise<{ readonly value: Value } | { readonly wrong: string }>;
}

export type OnKnob = (key: string, value: Value, phase: "drag" | "commit") => void;

/** `cpu_count` 0 and its like mean "no limit"; a word is shown as it is. */
export function shownValue(value: Value): string {
  return typeof value === "number" ? formatKnob(value) : value === "" ? NONE : value.replace(/,/g, ", ");
}

/** The unit beside a value, a blank before it; nothing where there is none. */
export function unitBeside({ unit }: Pick<KnobItem, "unit">, value: Value): string {
  return unit === null ? "" : ` ${unitOf(shownValue(value), unit)}`;
}

export function spokenValue(item: KnobItem): string {
  const said = (value: Value): string => shownValue(value) + unitBeside(item, value);
  const against = item.differs ? `, ${item.other} ${said(item.otherValue)}` : "";
  return `${said(item.value)}${against}${item.result === "" ? "" : `, ${item.result}`}`;
}

/** Words beside the number: where it was before this drag, else what the other side has. */
export function besideValue(item: KnobItem): string | null {
  if (item.before !== null && item.before !== item.value) return `was ${shownValue(item.before)}`;
  if (item.differs) return `${item.other}: ${shownValue(item.otherValue)}`;
  const hasRoom = item.key.length < 14;
  return item.needsRestart && item.isMoved && hasRoom ? "restart" : null;
}

/** What is typed, as a value; or why the model does not take it. */
export function readTyped(item: KnobItem, text: string): { readonly value: number } | { readonly wrong: string } {
  const value = parseTyped(text);
  const { min, max } = item.limits;
  if (value === null) return { wrong: `“${text.trim()}” is no number.` };
  if (item.range.isWhole && !Number.isInteger(value)) return { wrong: `${item.base} is a whole number.` };
  const said = (limit: number): string => `${formatKnob(limit)}${unitBeside(item, limit)}`;
  if (min !== null && value < min) return { wrong: `${item.base} is at least ${said(min)}.` };
  if (max !== null && value > max) return { wrong: `${item.base} is at most ${said(max)}.` };
  return { value };
}

const statusWords = {
  constant: "", calibrated: " Fitted to the published figures.", free: " Nobody measured it: an assumption.",
} as const;

/** What fits on the line of the name: always seen. */
export function standardText(item: KnobItem): string {
  const unit = item.kind === "choice" ? "" : unitBeside(item, item.standard);
  return `default ${shownValue(item.standard)}${unit}${item.needsRestart ? ", restart" : ""}`;
}

/** What help says of a knob and where its default is from, by its name without scope; or how far that is. */
export type KnobHelp =
  Readonly<Record<string, { readonly help: string; readonly source: string }>> | "loading" | "failed";

/** Null where they are not here, or no knob of that name has any. */
export function wordsOf(key: string, help: KnobHelp): { readonly help: string; readonly source: string } | null {
  return typeof help === "string" ? null : (help[key.split("@")[0] ?? key] ?? null);
}

export const noHelp = "What is known of this knob could not be loaded. Reload the page to try again.";

/** What it is; then where its default is from, or nothing. */
export function helpText(item: KnobItem, all: KnobHelp): readonly [string, string] {
  if (all === "loading") return ["Loading what is known of this knob …", ""];
  if (all === "failed") return [noHelp, ""];
  const words = wordsOf(item.key, all);
  const source = words === null || words.source === "" ? "" : ` ${words.source}.`;
  return [`${words?.help ?? ""}${statusWords[item.status]}`, source];
}
