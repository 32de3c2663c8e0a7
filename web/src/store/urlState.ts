/**
 * The link and the state are two spellings of one thing:
 * `#v1/<preset>?<knob>=<value>&a.<knob>=<value>&view.<key>=<value>&seed=42&title=…&note=…`.
 * Unprefixed is B; `a.` is what A sets otherwise; `a=` alone: A is B. Title and note are only ever text.
 */
import { measuredText, MOST_MEASURED, readMeasured, type Measured } from "../analysis";
import { findKnob, findPreset, type Catalogue, type KnobValue, type KnobValues } from "../engine";
import { required } from "../base/assert";
import type { Preset } from "../engine";
import { RUN, isSweepable } from "./axes";
import { readAddress } from "./address";
import { quoted, readNumber, readValue, textOf, trimmed } from "./readValue";
import { CLUSTER_NODES, named } from "./scope";
import { compareOf, presetOf, tidy, type Pair } from "./values";

export const DEFAULT_SEED = 42;
/** Of what is typed into the page; a link may say more. */
export const MOST_TITLE = 120;
export const MOST_NOTE = 1_000;
export const MOST_SEED = 4_294_967_295;

/** What the address of a frame holds fast, whatever links say. */
export interface Held {
  readonly locked: readonly string[];
  /** What stands on the axes of the chart stays there. */
  readonly areAxesLocked: boolean;
}

export interface ViewState {
  readonly view: "lab" | "timeline";
  readonly timelineSide: "a" | "b";
  /** The process that the timeline follows. */
  readonly follow: number | null;
  /** Simulated ms, from and to; null: the whole recording. */
  readonly timelineWindow: readonly [number, number] | null;
  readonly side: "A" | "B" | "both";
  /** The host whose knobs and charts are shown, counted from 1; null: all, side by side. */
  readonly host: number | null;
  /** Metric of the vertical axis and knob of the horizontal one; null: the preset's. */
  readonly y: string | null;
  readonly x: string | null;
  /** A second knob, across that of the horizontal axis: a map of both; null: none. */
  readonly by: string | null;
  readonly theme: "light" | "dark" | "projector" | "system";
  readonly palette: "default" | "oem";
  /** What the reader measured; null: nothing. */
  readonly points: Measured | null;
  readonly panels: readonly string[] | null;
  readonly show: readonly string[] | null;
  readonly locked: readonly string[];
  readonly held: Held;
  readonly title: string;
  readonly note: string;
  readonly seed: number;
  readonly linkError: string | null;
}

export const plainView: ViewState = {
  view: "lab", timelineSide: "b", follow: null, timelineWindow: null, side: "both", host: null, y: null, x: null,
  by: null, theme: "system", palette: "default", points: null, panels: null, show: null, locked: [],
  held: { locked: [], areAxesLocked: false }, title: "", note: "", seed: DEFAULT_SEED, linkError: null,
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
  /** With the hosts that B may speak of, and A. */
  private readonly presets: { readonly B: Preset; readonly A: Preset };

  /** `said`: what the link says, for it may say how many hosts there are after it has spoken of them. */
  constructor(catalogue: Catalogue, preset: Preset, view: ViewState, said: readonly (readonly [string, string])[]) {
    this.catalogue = catalogue;
    const knob = findKnob(catalogue, CLUSTER_NODES);
    const layer = (key: string): KnobValues => {
      const text = said.find(([one]) => one === key)?.[1];
      const read = knob === null || text === undefined ? { wrong: "" } : readValue(knob, key, text);
      return "wrong" in read ? {} : { [CLUSTER_NODES]: read.value };
    };
    const B = named(preset, [layer(CLUSTER_NODES)]);
    this.presets = { B, A: named(B, [layer(`a.${CLUSTER_NODES}`)]) };
    this.view = view;
  }

  take(key: string, text: string): void {
    const isBare = this.catalogue.view_keys.includes(key);
    if (key === "a" && text === "") this.saysA = true;
    else if (key === "title" || key === "note") this.takeWords(key, text);
    else if (isBare || key.startsWith("view.")) this.takeView(isBare ? key : key.slice("view.".length), text, key);
    else if (key.startsWith("a.")) this.takeKnob(key.slice(2), text, key, this.ghost);
    else this.takeKnob(key, text, key, this.base);
  }

  /** Whether it is the first of its name; says so where it is not. */
  private isFirst(name: string, key: string): boolean {
    if (this.seen.has(name)) this.problems.push(`${quoted(key)} is said twice.`);
    return this.seen.size < this.seen.add(name).size;
  }

  private takeWords(name: "title" | "note", text: string): void {
    const most = this.catalogue.limits[name];
    if (!this.isFirst(name, name)) return;
    if (Array.from(text).length > most) this.problems.push(`${name} has at most ${most} characters.`);
    else this.view = { ...this.view, [name]: text };
  }

  /** `view.metric=response` is how links of old spelled it. */
  private takeMetric(text: string, key: string): void {
    const y = { throughput: "throughput_lio", response: "response_mean_ms" }[text] ?? text;
    if (this.catalogue.metrics.some(({ id }) => id === y)) this.view = { ...this.view, y };
    else this.problems.push(`${key} is a metric of this page, not ${quoted(text)}.`);
  }

  private takeAxis(name: "x" | "by", text: string, key: string): void {
    const read = readAddress(this.catalogue, this.presets.B, text);
    const address = read !== "unknown" && "address" in read ? read.address : null;
    if (address !== null && isSweepable(address.knob)) this.view = { ...this.view, [name]: address.key };
    else this.problems.push(`${key} is a knob with numbers or words to choose from, not ${quoted(text)}.`);
  }

  private takeHost(text: string, key: string): void {
    const host = readNumber(text);
    const { nodes } = this.presets.B;
    if (nodes < 2) this.problems.push(`${key}: this scenario has one host.`);
    else if (host !== null && Number.isInteger(host) && host >= 1 && host <= nodes) this.view = { ...this.view, host };
    else this.problems.push(`${key} is a host from 1 to ${nodes}, not ${quoted(text)}.`);
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

  private takePoints(text: string, key: string): void {
    const points = readMeasured(text);
    const form = `1 to ${MOST_MEASURED} points, as in sessions/throughput_lio,16/8100000`;
    if (points === null) this.problems.push(`${key} is ${form}, not ${quoted(text)}.`);
    else this.view = { ...this.view, points };
  }

  private takeKnob(name: string, text: string, key: string, into: Record<string, KnobValue>): void {
    const read = readAddress(this.catalogue, into === this.ghost ? this.presets.A : this.presets.B, name);
    if (read === "unknown") {
      this.unknown.push([key, text]);
      return;
    }
    if (into === this.ghost) this.saysA = true;
    if ("wrong" in read) this.problems.push(read.wrong);
    else if (into === this.ghost && read.address.knob.group === RUN)
      this.problems.push(`${key}: both scenarios share one ${name}.`);
    else {
      const { knob, key: address } = read.address;
      if (!this.isFirst(into === this.ghost ? `a.${address}` : ` ${address}`, key)) return;
      const said = readValue(knob, key, text);
      if ("wrong" in said) this.problems.push(said.wrong);
      else if (address === "seed") this.view = { ...this.view, seed: Number(said.value) };
      else into[address] = said.value;
    }
  }

  private takeView(name: string, text: string, key: string): void {
    if (!this.isFirst(`view.${name}`, key)) return;
    if (name === "y" || name === "metric") this.takeMetric(text, key);
    else if (name === "x" || name === "by") this.takeAxis(name, text, key);
    else if (name === "host") this.takeHost(text, key);
    else if (name === "follow") this.takeFollow(text, key);
    else if (name === "t") this.takeWindow(text, key);
    else if (name === "points") this.takePoints(text, key);
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

/** A name or value as `URLSearchParams` writes it; null where an escape is cut off or no text. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

const WRONG_CODE = "is cut off or wrongly percent-encoded.";

function splitHash(
  catalogue: Catalogue, hash: string,
): { readonly preset: string; readonly text: string } | { readonly wrong: string } {
  const most = catalogue.limits.link_bytes;
  if (new TextEncoder().encode(hash).length > most) return { wrong: `The link is longer than ${most} bytes.` };
  const [, head = "", text = ""] = /^#?([^?]*)(?:\?(.*))?$/s.exec(trimmed(hash)) ?? [];
  const name = decoded(head);
  if (name === null) return { wrong: `The name of the scenario ${WRONG_CODE}` };
  const [, version, preset = ""] = /^v(\d{1,6})\/(.*)$/s.exec(name) ?? [];
  if (version === undefined) return { wrong: "The link does not begin with #v1/ and the name of a scenario." };
  if (version !== "1") return { wrong: `The link is of version ${version}; this page reads version 1.` };
  return { preset, text };
}

/** The pairs of a link, and what is wrong with them. */
function pairsOf(catalogue: Catalogue, text: string): { readonly said: [string, string][]; readonly wrong: string[] } {
  const pairs = text.split("&").filter((pair) => pair !== "");
  const most = catalogue.limits.pairs;
  const wrong = pairs.length > most ? [`A link has at most ${most} values.`] : [];
  const said: [string, string][] = [];
  for (const pair of pairs.slice(0, most)) {
    const at = pair.indexOf("=");
    const [key, value] = [decoded(at < 0 ? pair : pair.slice(0, at)), decoded(at < 0 ? "" : pair.slice(at + 1))];
    if (key === null || value === null) wrong.push(`${quoted(pair)} ${WRONG_CODE}`);
    else said.push([key, value]);
  }
  return { said, wrong };
}

function tellUnknown(unknown: readonly (readonly [string, string])[]): string | null {
  if (unknown.length === 0) return null;
  const names = unknown.slice(0, 3).map(([key]) => quoted(key)).join(", ");
  const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : "";
  return `This page does not know ${names}${more}; kept in the link, without effect.`;
}

/** The scenario that a link names, whatever else is wrong with it; null: none that there is. */
export function presetNamed(catalogue: Catalogue, hash: string): Preset | null {
  const split = splitHash(catalogue, hash);
  return "wrong" in split ? null : findPreset(catalogue, split.preset);
}

/** `view` is what the reader chose on this machine; a link overrides what it names. */
export function decodeLink(catalogue: Catalogue, hash: string, view: ViewState = plainView): Decoded {
  const first = required(catalogue.presets[0], "a preset in the catalogue");
  if (hash === "" || hash === "#") return { ok: true, link: freshLink(catalogue, first.id, view), notice: null };
  const split = splitHash(catalogue, hash);
  if ("wrong" in split) return { ok: false, message: split.wrong };
  const preset = findPreset(catalogue, split.preset);
  if (preset === null) return { ok: false, message: `There is no scenario ${quoted(split.preset)}.` };
  const { said, wrong } = pairsOf(catalogue, split.text);
  const reading = new Reading(catalogue, preset, { ...view, linkError: null }, said);
  reading.problems.push(...wrong);
  for (const [key, text] of said) reading.take(key, text);
  if (reading.problems.length > 0) {
    const told = reading.problems.slice(0, 4).join(" ");
    return {
      ok: false, message: reading.problems.length > 4 ? `${told} And ${reading.problems.length - 4} more.` : told,
    };
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
  return keys.map((key) => [`a.${key}`, textOf(ghost[key] ?? "")]);
}

function viewPairs(view: ViewState): [string, string][] {
  const pairs: [string, string][] = [];
  for (const key of Object.keys(choices) as ChoiceKey[]) {
    if (view[key] !== plainView[key]) pairs.push([`view.${key}`, view[key]]);
  }
  if (view.y !== null) pairs.push(["view.y", view.y]);
  if (view.x !== null) pairs.push(["view.x", view.x]);
  if (view.by !== null) pairs.push(["view.by", view.by]);
  if (view.host !== null) pairs.push(["view.host", String(view.host)]);
  if (view.follow !== null) pairs.push(["view.follow", String(view.follow)]);
  if (view.timelineWindow !== null)
    pairs.push(["view.t", view.timelineWindow.map((ms) => String(Number(ms.toFixed(6)))).join("..")]);
  if (view.points !== null) pairs.push(["view.points", measuredText(view.points)]);
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
  const base = Object.entries(tidy(catalogue, preset, link.base)).map(([key, value]): [string, string] => [
    key, textOf(value),
  ]);
  const pairs = [
    ...base, ...ghostPairs(catalogue, preset, link.ghost), ...viewPairs(link.view),
    ...link.unknown.map(([key, text]): [string, string] => [key, text]),
  ];
  const query = new URLSearchParams(pairs).toString();
  return query === "" ? `#v1/${preset.id}` : `#v1/${preset.id}?${readable(query)}`;
}
