/** Sentences. */
import type { Hinge } from "../sides/types";

/** A sentence in parts, so that numbers and names keep their faces. */
export interface Span {
  readonly text: string;
  readonly face?: "strong" | "strong-b" | "mono";
}

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
