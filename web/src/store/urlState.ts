/**
 * The link and the state are two spellings of one thing:
 * `#v1/<preset>?<knob>=<value>&a.<knob>=<value>&view.<key>=<value>&seed=42&title=…&note=…`.
 * Unprefixed is B; `a.` is what A sets otherwise; `a=` alone: A is B. Title and note are only ever text.
 */
import { asKnobValue, findKnob, findPreset, splitScope, type Catalogue, type Knob, type KnobValue, type KnobValues } from "../engine";
import { required } from "../base/assert";
import type { Preset } from "../engine";
import { isSweepable } from "./axes";
import { compareOf, isCpuList, presetOf, tidy, type Pair } from "./values";

export const DEFAULT_SEED = 42;
const MOST_CHARACTERS = 8_192;
export const MOST_TITLE = 120;
export const MOST_NOTE = 1_000;
export const MOST_SEED = 4_294_967_295;

export interface ViewState {
  readonly view: "lab" | "timeline";
  readonly timelineSide: "a" | "b";
  /** The process that the timeline follows. */
  readonly follow: number | null;
  /** Simulated ms, from and to; null: the whole recording. */
  readonly timelineWindow: readonly [number, number] | null;
  readonly side: "A" | "B" | "both";
  /** Metric of the vertical axis and knob of the horizontal one; null: the preset's. */
  readonly y: string | null;
  readonly x: string | null;
  readonly theme: "light" | "dark" | "projector" | "system";
  readonly palette: "default" | "oem";
  readonly panels: readonly string[] | null;
  readonly show: readonly string[] | null;
  readonly locked: readonly string[];
  readonly title: string;
  readonly note: string;
  readonly seed: number;
  readonly linkError: string | null;
}

export const plainView: ViewState = {
  view: "lab", timelineSide: "b", follow: null, timelineWindow: null, side: "both", y: null, x: null, theme: "system", palette: "default", panels: null, show: null, locked: [],
  title: "", note: "", seed: DEFAULT_SEED, linkError: null,
};

export interface LinkState extends Pair {
  readonly view: ViewState;
  /** Keys that this version does not know, kept so that they survive. */
  readonly unknown: readonly (readonly [string, string])[];
}

export type Decoded =
  | { readonly ok: true; readonly link: LinkState; readonly notice: string | null }
  | { readonly ok: false; readonly message: string };

const choices = {
  view: ["lab", "timeline"],
  timelineSide: ["a", "b"],
  side: ["A", "B", "both"],
  theme: ["light", "dark", "projector", "system"],
  palette: ["default", "oem"],
} as const;

type ChoiceKey = keyof typeof choices;

export function freshLink(catalogue: Catalogue, presetId: string, view: ViewState = plainView): LinkState {
  const preset = presetOf(catalogue, presetId);
  return { preset: preset.id, base: {}, ghost: compareOf(catalogue, preset), view, unknown: [] };
}

/** The user's own words, cut and without control characters, for use inside a message. */
function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const clean = text.replaceAll(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, " ");
  return `“${clean.length > 40 ? `${clean.slice(0, 40)}…` : clean}”`;
}

function readNumber(text: string): number | null {
  if (text.length > 24 || !/^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,2})?$/i.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

function rangeOf(knob: Knob): string {
  return `${knob.min ?? "…"} to ${knob.max ?? "…"}${knob.unit === null ? "" : ` ${knob.unit}`}`;
}

/** The value a link gives to a knob, or what is wrong with it. */
export function readKnob(knob: Knob, key: string, text: string): { readonly value: KnobValue } | { readonly wrong: string } {
  if (knob.kind === "choice") {
    const names = knob.choices ?? [];
    return names.includes(text) ? { value: text } : { wrong: `${key} is one of ${names.join(", ")}, not ${quoted(text)}.` };
  }
  if (knob.kind === "cpus") return isCpuList(text) ? { value: text } : { wrong: `${key} is a list of CPUs like 0-3,8 or the word all, not ${quoted(text)}.` };
  if (knob.kind === "vector") {
    const parts = text.split(/[/,]/).map(readNumber);
    const isRight = parts.length <= 16 && parts.every((part) => part !== null);
    return isRight ? { value: asKnobValue(text, knob) } : { wrong: `${key} is a number or a list like 1/1.5, not ${quoted(text)}.` };
  }
  const value = readNumber(text);
  if (value === null) return { wrong: `${key} is a number, not ${quoted(text)}.` };
  if (knob.kind === "integer" && !Number.isInteger(value)) return { wrong: `${key} is a whole number, not ${quoted(text)}.` };
  const isInside = value >= (knob.min ?? value) && value <= (knob.max ?? value);
  return isInside ? { value } : { wrong: `${key} goes from ${rangeOf(knob)}; the link says ${quoted(text)}.` };
}

/** What is read so far; problems are gathered, so that all are told at once. */
class Reading {
  readonly base: Record<string, KnobValue> = {};
  readonly ghost: Record<string, KnobValue> = {};
  readonly unknown: [string, string][] = [];
  readonly problems: string[] = [];
  view: ViewState;
  saysA = false;
  private readonly seen = new Set<string>();
  private readonly catalogue: Catalogue;

  constructor(catalogue: Catalogue, view: ViewState) {
    this.catalogue = catalogue;
    this.view = view;
  }

  take(key: string, text: string): void {
    if (this.seen.has(key)) {
      this.problems.push(`${quoted(key)} is said twice.`);
      return;
    }
    this.seen.add(key);
    if (key === "a") this.saysA = true;
    else if (key === "seed") this.takeSeed(text);
    else if (key === "title") this.view = { ...this.view, title: text.slice(0, MOST_TITLE) };
    else if (key === "note") this.view = { ...this.view, note: text.slice(0, MOST_NOTE) };
    else if (BARE_VIEW_KEYS.has(key)) this.takeView(key, text, key);
    else if (key.startsWith("view.")) this.takeView(key.slice("view.".length), text, key);
    else if (key.startsWith("a.")) this.takeKnob(key.slice(2), text, key, this.ghost);
    else this.takeKnob(key, text, key, this.base);
  }

  private takeSeed(text: string): void {
    const seed = readNumber(text);
    if (seed === null || !Number.isInteger(seed) || seed < 0 || seed > MOST_SEED) {
      this.problems.push(`seed is a whole number from 0 to ${MOST_SEED}, not ${quoted(text)}.`);
    } else this.view = { ...this.view, seed };
  }

  /** `view.metric=response` is how links of old spelled it. */
  private takeMetric(text: string, key: string): void {
    const y = { throughput: "throughput_lio", response: "response_mean_ms" }[text] ?? text;
    if (this.catalogue.metrics.some(({ id }) => id === y)) this.view = { ...this.view, y };
    else this.problems.push(`${key} is a metric of this page, not ${quoted(text)}.`);
  }

  private takeX(text: string, key: string): void {
    const knob = findKnob(this.catalogue, text);
    if (knob !== null && isSweepable(knob)) this.view = { ...this.view, x: text };
    else this.problems.push(`${key} is a knob with numbers or words to choose from, not ${quoted(text)}.`);
  }

  private takeFollow(text: string, key: string): void {
    const process = readNumber(text);
    if (process !== null && Number.isInteger(process) && process >= 0) this.view = { ...this.view, follow: process };
    else this.problems.push(`${key} is the number of a process, not ${quoted(text)}.`);
  }

  private takeWindow(text: string, key: string): void {
    const [from, to, ...rest] = text.split("..").map(readNumber);
    const isRight = rest.length === 0 && typeof from === "number" && typeof to === "number" && from >= 0 && from < to;
    if (isRight) this.view = { ...this.view, timelineWindow: [from, to] };
    else this.problems.push(`${key} is a stretch of time in ms like 1200..1210, not ${quoted(text)}.`);
  }

  private takeKnob(name: string, text: string, key: string, into: Record<string, KnobValue>): void {
    const knob = findKnob(this.catalogue, name);
    const { scope } = splitScope(name);
    if (knob === null || (scope !== null && !/^[a-z][a-z0-9_]{0,30}$/.test(scope))) {
      this.unknown.push([key, text]);
      return;
    }
    if (into === this.ghost) this.saysA = true;
    const read = readKnob(knob, key, text);
    if ("wrong" in read) this.problems.push(read.wrong);
    else into[name] = read.value;
  }

  private takeView(name: string, text: string, key: string): void {
    if (name === "y" || name === "metric") this.takeMetric(text, key);
    else if (name === "x") this.takeX(text, key);
    else if (name === "follow") this.takeFollow(text, key);
    else if (name === "t") this.takeWindow(text, key);
    else if (name === "panels" || name === "show" || name === "locked") {
      const names = text.split(",").filter((part) => /^[a-z][a-z0-9_@-]{0,60}$/i.test(part)).slice(0, 64);
      this.view = { ...this.view, [name]: names };
    } else if (Object.hasOwn(choices, name)) {
      const allowed: readonly string[] = choices[name as ChoiceKey];
      if (allowed.includes(text)) this.view = { ...this.view, [name]: text };
      else this.problems.push(`${key} is one of ${allowed.join(", ")}, not ${quoted(text)}.`);
    } else this.unknown.push([key, text]);
  }
}

/** Keys of the view that may be said without their prefix; the page itself writes them with it. */
const BARE_VIEW_KEYS: ReadonlySet<string> = new Set(["view", "y", "x", "follow", "t"]);

function splitHash(hash: string): { readonly preset: string; readonly text: string } | { readonly wrong: string } {
  if (hash.length > MOST_CHARACTERS) return { wrong: `The link is longer than ${MOST_CHARACTERS} characters.` };
  const found = /^#?v(\d{1,6})\/([^?]*)(?:\?(.*))?$/s.exec(hash);
  if (found === null) return { wrong: "The link does not begin with #v1/ and the name of a scenario." };
  const [, version, preset = "", text = ""] = found;
  if (version !== "1") return { wrong: `The link is of version ${version}; this page reads version 1.` };
  return { preset, text };
}

function tellUnknown(unknown: readonly (readonly [string, string])[]): string | null {
  if (unknown.length === 0) return null;
  const names = unknown.slice(0, 3).map(([key]) => quoted(key)).join(", ");
  const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : "";
  return `This page does not know ${names}${more}; kept in the link, without effect.`;
}

/** `view` is what the reader chose on this machine; a link overrides what it names. */
export function decodeLink(catalogue: Catalogue, hash: string, view: ViewState = plainView): Decoded {
  const first = required(catalogue.presets[0], "a preset in the catalogue");
  if (hash === "" || hash === "#") return { ok: true, link: freshLink(catalogue, first.id, view), notice: null };
  const split = splitHash(hash);
  if ("wrong" in split) return { ok: false, message: split.wrong };
  const preset = findPreset(catalogue, split.preset);
  if (preset === null) return { ok: false, message: `There is no scenario ${quoted(split.preset)}.` };
  const reading = new Reading(catalogue, { ...view, linkError: null });
  for (const [key, text] of new URLSearchParams(split.text)) reading.take(key, text);
  if (reading.problems.length > 0) {
    const told = reading.problems.slice(0, 4).join(" ");
    return { ok: false, message: reading.problems.length > 4 ? `${told} And ${reading.problems.length - 4} more.` : told };
  }
  const base = tidy(catalogue, preset, reading.base);
  const ghost = reading.saysA ? reading.ghost : compareOf(catalogue, preset);
  const link = { preset: preset.id, base, ghost, view: reading.view, unknown: reading.unknown };
  return { ok: true, link, notice: tellUnknown(reading.unknown) };
}

function isSame(a: KnobValues, b: KnobValues): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function ghostPairs(catalogue: Catalogue, preset: Preset, ghost: KnobValues): [string, string][] {
  if (isSame(ghost, compareOf(catalogue, preset))) return [];
  const keys = Object.keys(ghost);
  if (keys.length === 0) return [["a", ""]];
  return keys.map((key) => [`a.${key}`, String(ghost[key])]);
}

function viewPairs(view: ViewState): [string, string][] {
  const pairs: [string, string][] = [];
  for (const key of Object.keys(choices) as ChoiceKey[]) {
    if (view[key] !== plainView[key]) pairs.push([`view.${key}`, view[key]]);
  }
  if (view.y !== null) pairs.push(["view.y", view.y]);
  if (view.x !== null) pairs.push(["view.x", view.x]);
  if (view.follow !== null) pairs.push(["view.follow", String(view.follow)]);
  if (view.timelineWindow !== null) pairs.push(["view.t", view.timelineWindow.map((ms) => String(Number(ms.toFixed(6)))).join("..")]);
  if (view.panels !== null) pairs.push(["view.panels", view.panels.join(",")]);
  if (view.show !== null) pairs.push(["view.show", view.show.join(",")]);
  if (view.locked.length > 0) pairs.push(["view.locked", view.locked.join(",")]);
  if (view.seed !== DEFAULT_SEED) pairs.push(["seed", String(view.seed)]);
  if (view.title !== "") pairs.push(["title", view.title]);
  if (view.note !== "") pairs.push(["note", view.note]);
  return pairs;
}

/** Commas, slashes and `@` may stand bare in a fragment and are easier to read so. */
function readable(query: string): string {
  return query.replaceAll("%2C", ",").replaceAll("%40", "@").replaceAll("%3A", ":").replaceAll("%2F", "/");
}

export function encodeLink(catalogue: Catalogue, link: LinkState): string {
  const preset = presetOf(catalogue, link.preset);
  const base = Object.entries(tidy(catalogue, preset, link.base)).map(([key, value]): [string, string] => [key, String(value)]);
  const pairs = [...base, ...ghostPairs(catalogue, preset, link.ghost), ...viewPairs(link.view), ...link.unknown.map(([key, text]): [string, string] => [key, text])];
  const query = new URLSearchParams(pairs).toString();
  return query === "" ? `#v1/${preset.id}` : `#v1/${preset.id}?${readable(query)}`;
}
