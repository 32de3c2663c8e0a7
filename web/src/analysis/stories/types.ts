/** Sentences. */
import type { AnalysisInput } from "../read/input";
import type { Hinge } from "../sides/types";

/** A sentence in parts, so that numbers and names keep their faces. */
export interface Span {
  readonly text: string;
  readonly face?: "strong" | "strong-b" | "mono";
}

export type Sentence = readonly Span[];

/** What a story has to say of an input. */
export interface Claim {
  /** What it explains: points of the difference or of the capacity. Claims are told in this order. */
  readonly worth: number;
  /** Its share in the sum of all, with the words for it; null of what is no share. */
  readonly share: { readonly words: string; readonly points: number } | null;
  /** As the cause in a headline; null: not fit for one. */
  readonly headline: string | null;
  /** In its own words, the longest first: the first for which there is room is told. */
  readonly sentences: readonly Sentence[];
}

/** Null where it has nothing to say. */
export type Story = (input: AnalysisInput) => Claim | null;

export interface Finding {
  readonly headline: string;
  /** One line for the phone when the knob sheet is open. */
  readonly short: readonly Span[];
  readonly why: readonly Span[];
}

export interface HowSure {
  readonly sentence: readonly Span[];
  readonly hinge: Hinge | null;
}

/** Titles that say the finding of their chart. */
export interface Titles {
  readonly service: string;
  readonly spread: string;
}

/** The same of what is of one host. */
export interface HostTitles {
  readonly activeSessions: string;
  readonly threads: string;
}
