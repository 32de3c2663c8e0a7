/** The text of a link as a value of a knob, read as the simulation's decoder reads it, or what is wrong with it. */
import { asKnobValue, type Knob, type KnobValue } from "../engine";

export type ReadValue = { readonly value: KnobValue } | { readonly wrong: string };

const MOST_RANGES = 1024;
const MOST_THREAD = 9_999;

/** Without blanks of ASCII at its ends. */
export function trimmed(text: string): string {
  return text.replace(/^[\t\n\f\r ]+/, "").replace(/[\t\n\f\r ]+$/, "");
}

/** The user's own words, cut and without control characters, for use inside a message. */
export function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const clean = text.replaceAll(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, " ");
  return `“${clean.length > 40 ? `${clean.slice(0, 40)}…` : clean}”`;
}

/** A finite number in decimal digits, with or without a power of ten. */
export function readNumber(text: string): number | null {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return null;
  const value = Number(text);
  // Minus nought is nought.
  return Number.isFinite(value) ? value + 0 : null;
}

function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** First and last of a range, or null. */
function readRange(text: string): readonly [number, number] | null {
  const [, from, to] = /^(\d{1,10})(?:[\t\n\f\r ]*-[\t\n\f\r ]*(\d{1,10}))?$/.exec(trimmed(text)) ?? [];
  if (from === undefined) return null;
  const range = [Number(from), Number(to ?? from)] as const;
  return range[0] <= range[1] && range[1] <= MOST_THREAD ? range : null;
}

/** Hardware threads as the kernel writes them, in order and merged; null where the text is none. */
export function readCpus(text: string): string | null {
  if (asciiLower(text) === "all") return "all";
  const parts = text.split(",");
  const ranges = parts.flatMap((part) => [readRange(part) ?? []].filter((range) => range.length === 2));
  if (parts.length > MOST_RANGES || ranges.length < parts.length) return null;
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(",");
}

function rangeOf(knob: Knob): string {
  return `${knob.min ?? "…"} to ${knob.max ?? "…"}${knob.unit === null ? "" : ` ${knob.unit}`}`;
}

function isInside(knob: Knob, value: number): boolean {
  return value >= (knob.min ?? value) && value <= (knob.max ?? value);
}

function readVector(knob: Knob, key: string, text: string): ReadValue {
  const parts = text.split(/[/,]/).map((part) => readNumber(trimmed(part)));
  const numbers = parts.filter((part) => part !== null);
  if (parts.length > (knob.most_entries ?? 1) || numbers.length < parts.length)
    return { wrong: `${key} is a number or a list like 1/1.5, not ${quoted(text)}.` };
  if (!numbers.every((number) => isInside(knob, number)))
    return { wrong: `${key} goes from ${rangeOf(knob)}; the link says ${quoted(text)}.` };
  return { value: asKnobValue(numbers.map(textOf).join("/"), knob) };
}

/** `key` is what the message calls it. */
export function readValue(knob: Knob, key: string, said: string): ReadValue {
  const text = trimmed(said);
  if (knob.kind === "choice") {
    const names = knob.choices ?? [];
    const word = names.find((name) => asciiLower(name) === asciiLower(text));
    return word === undefined
      ? { wrong: `${key} is one of ${names.join(", ")}, not ${quoted(text)}.` }
      : { value: word };
  }
  if (knob.kind === "cpus") {
    const list = readCpus(text);
    return list === null
      ? { wrong: `${key} is a list of CPUs like 0-3,8 or the word all, not ${quoted(text)}.` }
      : { value: list };
  }
  if (knob.kind === "vector") return readVector(knob, key, text);
  const value = readNumber(text);
  if (value === null) return { wrong: `${key} is a number, not ${quoted(text)}.` };
  if (knob.kind === "integer" && !Number.isInteger(value))
    return { wrong: `${key} is a whole number, not ${quoted(text)}.` };
  return isInside(knob, value)
    ? { value }
    : { wrong: `${key} goes from ${rangeOf(knob)}; the link says ${quoted(text)}.` };
}

/** As it stands in a link: numbers in plain decimal digits. */
export function textOf(value: KnobValue): string {
  const text = String(value);
  const [, sign = "", digits = "", power = ""] =
    (typeof value === "number" && /^(-?)([\d.]+)e([+-]\d+)$/.exec(text)) || [];
  if (power === "") return text;
  const [whole = "", part = ""] = digits.split(".");
  const at = whole.length + Number(power);
  const all = whole + part;
  if (at <= 0) return `${sign}0.${"0".repeat(-at)}${all}`;
  return `${sign}${all.padEnd(at, "0").slice(0, at)}${all.length > at ? `.${all.slice(at)}` : ""}`;
}
