/** What things are called in words: the two sides, places on an axis, small numbers. */
import type { Knob, KnobValue } from "../../engine";
import { formatCount, formatKnob, formatShort, NBSP } from "../../units";
import { alike, everywhere, isCaged, isFree, isOpen, type AnalysisInput, type Values } from "./input";

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

/** "8", and where hosts or instances differ "8 and 16". */
function textOfAll(values: Values, id: string): KnobValue {
  const one = alike(values, id);
  if (one !== null) return one;
  const texts = everywhere(values, id).map((value) => (typeof value === "number" ? formatKnob(value) : value));
  return `${texts.slice(0, -1).join(", ")} and ${texts.at(-1) ?? ""}`;
}

/** The part of a scenario in which a key differs: its only part that does, or the one it names; null: all it has. */
function partOf({ a, b }: AnalysisInput, key: string): string | null {
  if (/@(?:node|instance)\d+$/.test(key)) return key;
  const isPart = (other: string): boolean => other.startsWith(`${key}@`) && /@(?:node|instance)\d+$/.test(other);
  const parts = Object.keys(b).filter(isPart);
  const differing = parts.filter((part) => a[part] !== b[part]);
  return parts.length > 1 && differing.length === 1 ? (differing[0] ?? null) : null;
}

/** " on host 2", " in instance 2"; nothing of a key that speaks of all. */
function whereOf({ preset }: AnalysisInput, key: string | null): string {
  const [, of, digits] = /@(node|instance)(\d+)$/.exec(key ?? "") ?? [];
  if (of === undefined) return "";
  const host = of === "node" ? Number(digits) : preset.instances[Number(digits) - 1];
  const isAlone = preset.instances.filter((one) => one === host).length === 1;
  return preset.nodes > 1 && (of === "node" || isAlone) ? ` on host ${host}` : ` in instance ${digits}`;
}

/** A cage by its size, or its absence; null where the key is another. */
function cageName(values: Values, key: string): string | null {
  const [id, scope] = [key.slice(0, key.indexOf("@")), key.slice(key.indexOf("@"))];
  if (id !== "resource_manager_plan") return null;
  return values[key] === "none" ? "no cage" : `cpu_count ${values[`cpu_count${scope}`] ?? ""}`;
}

function nameOf(input: AnalysisInput, values: Values): string {
  const [first = "", ...others] = input.differs;
  const part = partOf(input, first);
  const key = part ?? first;
  const knob = input.knobs.find((one) => one.id === key.split("@")[0]);
  const bare = key.replace(/@(?:node|instance)\d+$/, "");
  const value = part === null ? textOfAll(values, key) : (values[key] ?? "");
  const own = cageName(values, key) ?? valueName(knob, bare, value);
  return own + whereOf(input, part) + (others.length > 0 ? " …" : "");
}

/** Whether a knob belongs to the cage: alone it is nothing. */
const isOfCage = (key: string): boolean => /^(?:resource_manager_plan|cpu_count|rm_\w+)(?:@|$)/.test(key);

/** Sides are named by what differs, never by their letter alone. */
export function namesOf(input: AnalysisInput): Names {
  const { a, b, differs } = input;
  if (differs.length === 0)
    return { a: "same as B", b: "this scenario", subject: "This scenario", wordA: "A", wordB: "B" };
  const more = differs.some((key) => !isOfCage(key)) ? " …" : "";
  const cage = (values: Values): string => `cpu_count ${textOfAll(values, "cpu_count")}${more}`;
  if (isFree(a) && isCaged(b))
    return { a: `no cage${more}`, b: cage(b), subject: `Caging${more}`, wordA: "uncaged", wordB: "caged" };
  if (isCaged(a) && isFree(b))
    return {
      a: cage(a), b: `no cage${more}`, subject: `Taking the cage away${more}`, wordA: "caged", wordB: "uncaged",
    };
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

/** The same of a key: "12 sessions in instance 2". */
export function placeOfKey(input: AnalysisInput, key: string, x: KnobValue): string {
  return placeOf(key.replace(/@(?:node|instance)\d+$/, ""), x) + whereOf(input, key);
}

/** Sessions or arrivals of several instances that have not all the same: "32 and 12 sessions". */
function loadsOf(values: Values): string | null {
  const arrivals = everywhere(values, "arrivals");
  const [sessions, rates] = [everywhere(values, "sessions"), everywhere(values, "arrivals_per_s")];
  if (arrivals.length < 2) return null;
  const areOpen = (i: number): boolean => arrivals[i] === "open";
  if (arrivals.every((_, i) => !areOpen(i)))
    return alike(values, "sessions") === null ? `${textOfAll(values, "sessions")}${NBSP}sessions` : null;
  const each = arrivals.map((_, i) =>
    areOpen(i) ? placeOf("arrivals_per_s", rates[i] ?? 0) : placeOf("sessions", sessions[i] ?? 0),
  );
  return `${each.slice(0, -1).join(", ")} and ${each.at(-1) ?? ""}`;
}

/** Where the scenario stands: on the knob that its preset sweeps, whatever the chart's axis is. */
export function placeHere(input: AnalysisInput): string {
  const { knob: swept } = input.preset.sweep;
  const knob = swept === "sessions" && isOpen(input.b) ? "arrivals_per_s" : swept;
  const value = textOfAll(input.b, knob);
  const loads = knob === "sessions" ? loadsOf(input.b) : null;
  if (loads !== null) return loads;
  const isOfInstance = input.knobs.some(({ id, name_scope: scope }) => id === knob && scope === "instance");
  const isOfEach = isOfInstance && input.preset.instances.length > 1;
  return isOfEach ? `${placeOf(knob, value)} an instance` : placeOf(knob, value);
}
