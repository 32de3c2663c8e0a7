/** Sentences from parts: spans with faces. */
import type { Span } from "./types";

export const plain = (text: string): Span => ({ text });
export const strong = (text: string): Span => ({ text, face: "strong" });
export const strongB = (text: string): Span => ({ text, face: "strong-b" });
export const mono = (text: string): Span => ({ text, face: "mono" });

export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + span.text.length, 0);
}
