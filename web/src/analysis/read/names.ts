/** What things are called in words: the two sides, places on an axis, small numbers. */
import type { Knob, KnobValue } from "../../engine";
import { formatCount, formatKnob, formatShort, NBSP } from "../../units";
import { alike, everywhere, isCaged, isFree, type AnalysisInput, type Values } from "./input";

const NUMBERS = [
  "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

export function countWord(value: number): string {
  return NUMBERS[value] ?? formatCount(value);
}

/** "one thread", "eight threads". */
export const threadWords = (threads: number): string => `${countWord(threads)} thread${threads === 1 ? "" : "s"}`;

export const threadsText = (threads: number): string =>
  threads === 1 ? "one thread" : `${formatShort(threads)} threads`;

/** What is a name as it is written, such as `gc_log_flush_ms`, stays so. */
export function capital(text: string): string {
  return /^\w+[_@]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** With the knob on the axis, where names are of curves. */
type Named = AnalysisInput & { readonly along?: string };

export interface Names {
  readonly a: string;
  readonly b: string;
  /** What a headline is about: B, by what differs. */
  readonly subject: string;
  /** The subject is several of something: "12 sessions give". */
  readonly isMany: boolean;
  /** A short word for B before its figure: "in B", "caged". */
  readonly wordB: string;
}

export const rowOf = (knobs: readonly Knob[], key: string): Knob | undefined =>
  knobs.find(({ id }) => id === key.split("@")[0]);

/** A value in the words of its knob: "one|many" of what it counts, "any;none at all"; null where the knob has none. */
function saidOf(knob: Knob | undefined, value: KnobValue): string | null {
  if (knob?.said === undefined) return null;
  const [any = "", none] = knob.said.split(";");
  if (none !== undefined && value === 0) return none;
  const [one = "", many = one] = any.split("|");
  const text = typeof value === "number" ? (Number.isInteger(value) ? formatCount(value) : formatShort(value)) : value;
  const shown = text === "none" ? "no" : text;
  return (value === 1 ? one : many).replace("{} ", `${shown}${typeof value === "number" ? NBSP : " "}`)
    .replace("{}", shown);
}

const isCounted = (knob: Knob | undefined): boolean => knob?.said?.includes("|") === true;

/** "32 sessions", "CFS", "class FIFO", "soft affinity", "EEVDF of Linux 6.12", "cpu_count 8". */
function valueName(knob: Knob | undefined, key: string, value: KnobValue): string {
  return saidOf(knob, value) ?? `${key} ${typeof value === "number" ? formatKnob(value) : value}`;
}

/** "a", "a and b", "a, b and c". */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}

/** "8", and where parts differ "8 and 16"; of a process kind some may stand beside what all others have. */
function textOfAll(values: Values, id: string, isOfKinds = false): KnobValue {
  const all = everywhere(values, id);
  const [first = "", ...others] = isOfKinds ? [...new Set([values[id] ?? "", ...all])] : all;
  if (others.every((other) => other === first)) return first;
  return listed([first, ...others].map((value) => (typeof value === "number" ? formatKnob(value) : value)));
}

/** " an instance" behind a number that each of several instances has. */
function ofEach({ preset }: AnalysisInput, knob: Knob | undefined, values: Values, id: string): string {
  // Executions are of each session.
  const isOfInstances =
    knob?.name_scope === "instance" && preset.instances.length > 1 && id !== "executions" && !id.includes("@");
  return isOfInstances && alike(values, id) !== null ? " an instance" : "";
}

/** What hosts or instances have of their own of a key that speaks of all. */
const partsOf = (values: Values, key: string): readonly string[] =>
  Object.keys(values).filter((other) => other.startsWith(`${key}@`) && /@(?:node|instance)\d+$/.test(other));

/**
 * The part of a scenario in which a key differs: its only part that does, though others or what is said of all do not,
 * or the one it names; null: all it has.
 */
function partOf({ a, b }: AnalysisInput, key: string): string | null {
  if (/@(?:node|instance)\d+$/.test(key)) return key;
  const differs = (part: string): boolean => a[part] !== b[part];
  const [only, ...others] = Object.keys(b).filter((part) => part.startsWith(`${key}@`) && differs(part));
  const isPart = partsOf(b, key).length > 1 || !differs(key);
  return only !== undefined && others.length === 0 && isPart ? only : null;
}

/** " on host 2", " in instance 2"; nothing of a key that speaks of all. */
function whereOf({ preset }: AnalysisInput, key: string | null): string {
  const [, of, digits] = /@(node|instance)(\d+)$/.exec(key ?? "") ?? [];
  if (of === undefined) return "";
  const host = of === "node" ? Number(digits) : preset.instances[Number(digits) - 1];
  const isAlone = preset.instances.filter((one) => one === host).length === 1;
  return preset.nodes > 1 && (of === "node" || isAlone) ? ` on host ${host}` : ` in instance ${digits}`;
}

const idOf = (key: string): string => key.split("@")[0] ?? key;

/** A cage by its size; along an axis of sizes it has none of its own. */
const caged = ({ along }: Named, size: KnobValue = ""): string =>
  along?.startsWith("cpu_count") === true ? "the cage" : `cpu_count ${size}`;

/** A cage by its size, or its absence; null where the key is another, or says it of parts that differ. */
function cageName(input: Named, values: Values, key: string): string | null {
  if (idOf(key) !== "resource_manager_plan") return null;
  const scope = key.slice("resource_manager_plan".length);
  const plan = scope === "" ? alike(values, key) : values[key];
  if (plan === null) return null;
  if (plan === "none") return "no cage";
  return caged(input, scope === "" ? textOfAll(values, "cpu_count") : values[`cpu_count${scope}`]);
}

/** Whose words say so without being told: they are what the scenario is about. */
const ITS_OWN: ReadonlySet<string> = new Set(["session", "service"]);

/** " of lgwr" of a value of one process kind, where the words of its knob are not its key. */
function kindOf(knob: Knob | undefined, key: string): string {
  const kind = /@(?!node\d|instance\d)([a-z]+\d*)(?=@|$)/.exec(key)?.[1] ?? "session";
  return knob?.said === undefined || ITS_OWN.has(kind) ? "" : ` of ${kind}`;
}

/** What says how much there is to do. */
const LOADS: Readonly<Record<string, string>> = {
  closed: "sessions", open: "arrivals_per_s", messages: "message_groups", batch: "sessions",
};

const isLoad = (key: string): boolean => Object.values(LOADS).includes(idOf(key));

/** The knob of a side's load, of all or of the part that a key is of; none where parts differ. */
const loadIn = (values: Values, key: string): string | undefined =>
  LOADS[String(alike(values, key.replace(/^\w+/, "arrivals")))];

/** Whether it is the knob by which places are told, or what says which one that is: then the sides stand at two. */
const isOfPlace = (input: AnalysisInput, key: string): boolean =>
  [idOf(sweptIn(input)), "arrivals"].includes(idOf(key));

/** Whether it is a load that neither side has, or one alone: then each is told by its own. */
const isIdle = ({ a, b }: AnalysisInput, key: string): boolean =>
  isLoad(key) && [a, b].some((values) => (loadIn(values, key) ?? idOf(key)) !== idOf(key));

/**
 * What differs, in the order in which it is named: where a side stands before anything else. A cage on one side alone
 * is one thing, whatever of it is said.
 */
function toldOf(input: AnalysisInput): readonly string[] {
  const { a, b } = input;
  const acting = input.differs.filter((key) => !isIdle(input, key));
  const differs = acting.length > 0 ? acting : input.differs;
  const isOneCage = (isFree(a) && isCaged(b)) || (isCaged(a) && isFree(b));
  const plan = differs.find((key) => idOf(key) === "resource_manager_plan");
  const told = isOneCage ? differs.filter((key) => key === plan || !isOfCage(key)) : differs;
  return [...told.filter((key) => isOfPlace(input, key)), ...told.filter((key) => !isOfPlace(input, key))];
}

/** Characters of a name that says two things: a sentence has the names of both sides, and figures. */
const ROOM = 34;

/** Whose a value is need not be said twice: "class FX of lgwr and priority 60". */
const withoutKind = (name: string, own: string): string =>
  name.replace(/@([a-z]+\d*)(?=[@ ])/, (kind, of: string) => (new RegExp(`(?:@| of )${of}\\b`).test(own) ? "" : kind));

/** Names of the sides, and whether both say two things: what else differs, where it is one thing and has room. */
function withOther(
  input: Named, owns: readonly [string, string], [other, ...more]: readonly string[],
): readonly [a: string, b: string, isTwo: boolean] {
  if (other === undefined) return [...owns, false];
  const name = (values: Values, own: string): string => withoutKind(nameOfKey(input, values, other), own);
  const [a, b] = [`${owns[0]} and ${name(input.a, owns[0])}`, `${owns[1]} and ${name(input.b, owns[1])}`];
  return more.length === 0 && Math.max(a.length, b.length) <= ROOM
    ? [a, b, true] : [`${owns[0]} …`, `${owns[1]} …`, false];
}

/** What differs beside the first is named with it: that alone would be credited with both. */
function namesByKey(input: Named): readonly [a: string, b: string, isTwo: boolean] {
  const [first = "", ...others] = toldOf(input);
  const own = (values: Values): string => nameOfKey(input, values, first);
  const [second, ...more] = others;
  if (second === undefined || !isOfPlace(input, first)) return withOther(input, [own(input.a), own(input.b)], others);
  const placed = (values: Values): string =>
    `${own(values)}, ${nameOfKey(input, values, second)}${more.length > 0 ? " …" : ""}`;
  return [placed(input.a), placed(input.b), true];
}

/** By what a side is named: by its own load where that is another than the other's, and not what the axis is of. */
function keyOf(input: Named, values: Values, first: string): string {
  const key = partOf(input, first) ?? first;
  const load = loadIn(values, key);
  return load === undefined || load === input.along || loadIn(input.a, key) === loadIn(input.b, key)
    ? key : key.replace(/^arrivals\b/, load);
}

function nameOfKey(input: Named, values: Values, first: string): string {
  const part = partOf(input, first);
  const key = keyOf(input, values, first);
  const knob = rowOf(input.knobs, key);
  const bare = key.replace(/@(?:node|instance)\d+$/, "");
  const value = part === null ? textOfAll(values, key, key.includes("@")) : (values[key] ?? "");
  const each = part === null && isCounted(knob) ? ofEach(input, knob, values, key) : "";
  const own = cageName(input, values, key) ?? valueName(knob, bare, value);
  return own + each + kindOf(knob, key) + whereOf(input, part);
}

/** Whether a knob belongs to the cage: alone it is nothing. */
export const isOfCage = (key: string): boolean => /^(?:resource_manager_plan|cpu_count|rm_\w+)(?:@|$)/.test(key);

/** Where one side has a cage and the other none. */
function cagedNames(input: Named): Names {
  const { a, b } = input;
  const beside = toldOf(input).filter((key) => !isOfCage(key));
  const isCaging = isCaged(b);
  const own = (values: Values): string =>
    isFree(values) ? "no cage" : caged(input, textOfAll(values, "cpu_count"));
  const [nameA, nameB, isMany] = withOther(input, [own(a), own(b)], beside);
  const what = isCaging ? "Caging" : "Taking the cage away";
  const wordB = isCaging ? "caged" : "uncaged";
  return { a: nameA, b: nameB, subject: what + nameB.slice(own(b).length), isMany, wordB };
}

/** Sides are named by what differs, never by their letter alone. */
export function namesOf(input: Named): Names {
  const { a, b, differs } = input;
  if (differs.length === 0) {
    return { a: "same as B", b: "this scenario", subject: "This scenario", isMany: false, wordB: "in B" };
  }
  if (!standsElsewhere(input) && (isFree(a) ? isCaged(b) : isCaged(a) && isFree(b))) return cagedNames(input);
  const [nameA, nameB, isTwo] = namesByKey(input);
  const knob = rowOf(input.knobs, keyOf(input, b, toldOf(input)[0] ?? ""));
  const areMany = isCounted(knob) && !nameB.startsWith(`1${NBSP}`);
  const isPhrase = nameB.startsWith("no cage") || (knob?.said !== undefined && knob.said !== "{}");
  return {
    a: nameA, b: nameB, subject: isPhrase ? capital(nameB) : nameB, isMany: areMany || isTwo, wordB: "in B",
  };
}

/** "32 sessions", "720 arrivals/s", "cpu_count 4": a number in the words of its knob, a word behind its name. */
export function placeOf({ knobs }: Pick<AnalysisInput, "knobs">, key: string, x: KnobValue): string {
  const knob = rowOf(knobs, key);
  if (isCounted(knob)) return saidOf(knob, x) ?? key;
  if (typeof x === "string") return x === "" ? key : `${key} ${x}`;
  return `${key} ${formatKnob(x)}`;
}

/** The same of a key: "12 sessions in instance 2"; of one for all, the only part that follows it, if others do not. */
export function placeOfKey(input: AnalysisInput, key: string, x: KnobValue): string {
  const parts = partsOf(input.b, key);
  const moved = parts.filter((part) => input.b[part] === input.xHandle);
  const [only = key] = moved.length === 1 && parts.length > 1 ? moved : [];
  return placeOf(input, key.replace(/@(?:node|instance)\d+$/, ""), x) + whereOf(input, only);
}

/** The same, of each instance where there are several: "12 sessions an instance". */
export function placeOfEach(input: AnalysisInput, key: string, x: KnobValue): string {
  return placeOfKey(input, key, x) + ofEach(input, rowOf(input.knobs, key), input.b, key);
}

/** Sessions or arrivals of several instances that have not all the same: "32 and 12 sessions". */
function loadsOf(input: AnalysisInput): string | null {
  const values = input.b;
  const arrivals = everywhere(values, "arrivals");
  const [sessions, rates] = [everywhere(values, "sessions"), everywhere(values, "arrivals_per_s")];
  if (arrivals.length < 2) return null;
  const areOpen = (i: number): boolean => arrivals[i] === "open";
  if (arrivals.every((_, i) => !areOpen(i)))
    return alike(values, "sessions") === null ? placeOf(input, "sessions", textOfAll(values, "sessions")) : null;
  const each = arrivals.map((_, i) =>
    areOpen(i) ? placeOf(input, "arrivals_per_s", rates[i] ?? 0) : placeOf(input, "sessions", sessions[i] ?? 0),
  );
  return listed(each);
}

/** The knob that the preset sweeps, or what takes its place. */
function sweptIn({ preset, differs, b }: AnalysisInput): string {
  // It may speak of a host that a side has not.
  const host = Number(/@(?:node|instance)(\d+)$/.exec(preset.sweep.knob)?.[1] ?? 1);
  if (differs.includes("cluster_nodes") || host > preset.nodes) return "cluster_nodes";
  const { knob } = preset.sweep;
  return (isLoad(knob) ? loadIn(b, "arrivals") : null) ?? knob;
}

/** Where the scenario stands: on the knob that its preset sweeps, whatever the chart's axis is. */
export function placeHere(input: AnalysisInput): string {
  const knob = sweptIn(input);
  const loads = knob === "sessions" ? loadsOf(input) : null;
  const row = rowOf(input.knobs, knob);
  const each = isCounted(row) ? ofEach(input, row, input.b, knob) : "";
  return loads ?? placeOf(input, knob, textOfAll(input.b, knob)) + each;
}

/** Whether the sides stand at two places: what is told of both is told at neither. */
export const standsElsewhere = (input: AnalysisInput): boolean => input.differs.some((key) => isOfPlace(input, key));

/** Where both sides stand, as " at 32 sessions"; nothing where their names say it. */
export const whereBoth = (input: AnalysisInput): string =>
  standsElsewhere(input) ? "" : ` at ${placeHere(input)}`;

/** Where a difference is told: " at 32 sessions"; where the sides differ in that, too, " against 32 sessions". */
export const whereTold = (input: AnalysisInput): string => whereBoth(input) || ` against ${namesOf(input).a}`;

/**
 * Names of the sides along an axis: without its knob, or what that alone differs in. A part in which B follows the axis
 * has no number of its own there.
 */
export function namesAlong(input: AnalysisInput): Pick<Names, "a" | "b"> {
  const { a, b, knobs, xAxis: { knob }, xHandle } = input;
  const isElsewhere = (part: string): boolean => part !== knob && a[part] !== b[part];
  const isOnAxis = (key: string): boolean =>
    key === knob || (knob.startsWith(`${key}@`) && !partsOf(b, key).some(isElsewhere));
  const differs = input.differs.filter((key) => !isOnAxis(key));
  const like = isCounted(rowOf(knobs, knob)) ? "as many" : "alike";
  const isFollowed = (key: string): boolean => key.startsWith(`${knob}@`) && b[key] === xHandle;
  const followed = Object.fromEntries(differs.filter(isFollowed).map((key) => [key, like]));
  const here = { [knob]: xHandle };
  const sides = { a: { ...a, ...here }, b: { ...b, ...here, ...followed } };
  return differs.length === 0 ? { a: "", b: "" } : namesOf({ ...input, ...sides, differs, along: knob });
}
