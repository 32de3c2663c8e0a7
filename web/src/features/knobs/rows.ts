/** Knobs of several hosts as rows: what is said of all of them, and beneath it what each has. */
import type { KnobItem } from "./item";

export interface KnobLine {
  readonly item: KnobItem;
  /** How it is called in its row; the choice of the host has said the rest. */
  readonly name: string;
  /** The same of each part, where a row shows them all. */
  readonly parts: readonly KnobItem[];
}

/** Of a knob alone. */
export const lineOf = (item: KnobItem): KnobLine => ({ item, name: item.key, parts: [] });

export const acts = ({ item }: KnobLine): boolean => item.acts;

/** It acts and stands open; the others are behind "more". */
export const isFront = ({ item, parts }: KnobLine): boolean =>
  item.acts && (item.isPrincipal || parts.some((part) => part.isPrincipal && part.acts));

/** "host 2"; where a host has several instances, their own names. */
export function partName(part: KnobItem, all: readonly KnobItem[]): string {
  const isAlone = all.filter((other) => other.host === part.host).length === 1;
  return isAlone && part.host !== null ? `host ${part.host}` : (part.part ?? part.key).replace("instance", "instance ");
}

/** `host`: counted from 1; null: all of them, side by side. */
export function linesOf(items: readonly KnobItem[], host: number | null): readonly KnobLine[] {
  const parts = new Map<string, KnobItem[]>();
  for (const item of items) if (item.part !== null) parts.set(item.base, [...(parts.get(item.base) ?? []), item]);
  return items.flatMap((item): KnobLine[] => {
    if (item.part !== null) return [];
    const own = parts.get(item.key) ?? [];
    if (host === null || own.length === 0) return [{ item, name: item.key, parts: own }];
    const here = own.filter((part) => part.host === host);
    return here.map((part) => ({ item: part, name: here.length === 1 ? item.key : part.key, parts: [] }));
  });
}

/** Whether a key is that of a line, or of a part of it. */
export function isOf({ item, parts }: KnobLine, key: string | null): boolean {
  return item.key === key || parts.some((part) => part.key === key);
}

/** The line of each key, or of the knob that it is a part of; each line once. */
export function linesFor(lines: readonly KnobLine[], keys: readonly string[]): readonly KnobLine[] {
  const found = keys.flatMap((key) => {
    const base = key.replace(/@(?:instance|node)\d+$/, "");
    return lines.find((line) => isOf(line, key)) ?? lines.find(({ item }) => item.base === base) ?? [];
  });
  return [...new Set(found)];
}
