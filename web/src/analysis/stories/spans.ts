/** Sentences from parts: spans with faces, shares in words. */
import { formatCount } from "../../units";
import type { Span } from "./types";

export const plain = (text: string): Span => ({ text });
export const strong = (text: string): Span => ({ text, face: "strong" });
export const strongB = (text: string): Span => ({ text, face: "strong-b" });
export const mono = (text: string): Span => ({ text, face: "mono" });

export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + span.text.length, 0);
}

const ORDINALS = ["", "", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/** "every transaction", "every fifth transaction", "one transaction in 40". */
export function everyNth(share: number, thing: string): string {
  const nth = Math.round(1 / share);
  if (nth <= 1) return `every ${thing}`;
  const ordinal = ORDINALS[nth];
  return ordinal === undefined ? `one ${thing} in ${formatCount(nth)}` : `every ${ordinal} ${thing}`;
}
