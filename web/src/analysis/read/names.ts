/** What things are called in words: the two sides, places on an axis, small numbers. */
import type { Knob, KnobValue } from "../../engine";
import { formatCount, formatKnob, formatShort, NBSP } from "../../units";
import { isCaged, type AnalysisInput, type Values } from "./input";

const NUMBERS = [
  "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

export function countWord(value: number): string {
  return NUMBERS[value] ?? formatCount(value);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export interface Names {
  readonly a: string;
  readonly b: string;
  /** What a headline is about: B, by what differs. */
  readonly subject: string;
  /** Short words for the sides inside sentences. */
  readonly wordA: string;
  readonly wordB: string;
}

function valueName(knob: Knob | undefined, key: string, value: KnobValue): string {
  const id = key.split("@")[0];
  if (id === "class") return `class ${value}`;
  if (id === "affinity") return `${value === "none" ? "no" : value} affinity`;
  const isPlainChoice = knob?.kind === "choice" && !["yes", "no", "none", "default"].includes(String(value));
  if (isPlainChoice) return String(value);
  return `${key} ${typeof value === "number" ? formatKnob(value) : value}`;
}

function nameOf(input: AnalysisInput, values: Values): string {
  const [first = "", ...others] = input.differs;
  const knob = input.knobs.find((one) => one.id === first.split("@")[0]);
  return valueName(knob, first, values[first] ?? "") + (others.length > 0 ? " …" : "");
}

/** Sides are named by what differs, never by their letter alone. */
export function namesOf(input: AnalysisInput): Names {
  const { a, b, differs } = input;
  if (differs.length === 0)
    return { a: "same as B", b: "this scenario", subject: "This scenario", wordA: "A", wordB: "B" };
  const cage = (values: Values): string => `cpu_count ${values["cpu_count"] ?? ""}`;
  if (!isCaged(a) && isCaged(b))
    return { a: "no cage", b: cage(b), subject: "Caging", wordA: "uncaged", wordB: "caged" };
  if (isCaged(a) && !isCaged(b))
    return { a: cage(a), b: "no cage", subject: "Taking the cage away", wordA: "caged", wordB: "uncaged" };
  const [nameA, nameB] = [nameOf(input, a), nameOf(input, b)];
  return {
    a: nameA, b: nameB, subject: /^(soft|hard|no|class) /.test(nameB) ? capital(nameB) : nameB, wordA: "A", wordB: "B",
  };
}

/** "32 sessions", "720 arrivals/s", "cpu_count 4". */
export function placeOf(knob: string, x: KnobValue): string {
  if (typeof x === "string") return x === "" ? knob : `${knob} ${x}`;
  if (knob === "service_per_s") return `${formatShort(x)}${NBSP}requests/s`;
  if (knob === "sessions") return `${formatCount(x)}${NBSP}${x === 1 ? "session" : "sessions"}`;
  if (knob === "message_groups") return `${formatCount(x)}${NBSP}${x === 1 ? "group" : "groups"}`;
  if (knob === "arrivals_per_s") return `${formatShort(x)}${NBSP}arrivals/s`;
  return `${knob} ${formatKnob(x)}`;
}

/** Where the scenario stands: on the knob that its preset sweeps, whatever the chart's axis is. */
export function placeHere(input: AnalysisInput): string {
  const { knob } = input.preset.sweep;
  const value = input.b[knob] ?? "";
  const isOfInstance = input.knobs.some(({ id, name_scope: scope }) => id === knob && scope === "instance");
  const isOfEach = isOfInstance && input.preset.instances.length > 1;
  return isOfEach ? `${placeOf(knob, value)} an instance` : placeOf(knob, value);
}

/** Who hands out the CPUs, as the subject of a sentence. */
export function schedulerName(values: Values): string {
  const name = String(values["os_scheduler"] ?? "");
  return name === "CFS" || name === "EEVDF" || name === "" ? "Linux" : name;
}
