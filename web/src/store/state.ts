/** The whole state of a page: a scenario pair, how it is looked at, what is in the hand, what is known. */
import type { FigureAnswers } from "../analysis";
import type { Catalogue, KnobValue, Texts } from "../engine";
import type { Kept } from "./kept";
import { noResults, type FailureNote, type Results } from "./results";
import { freshLink, plainView, type LinkState, type ViewState } from "./urlState";
import { presetOf, type Pair } from "./values";

export interface InHand {
  readonly id: string;
  /** Value of the present before the drag began. */
  readonly before: KnobValue;
  /** The pair before the drag began, to go back to. */
  readonly pair: Pair;
}

export interface Place {
  readonly link: string;
  /** Counts the links and presets that were opened: within one, words and locks are what they have become. */
  readonly opening: number;
}

/** The last scenario pair for which both sides have an answer: what sentences and the matrix speak of. */
export interface Answered {
  readonly pair: Pair;
  readonly fullA: string;
  readonly fullB: string;
}

/** What was last whole enough to draw; it stays until the new is, so that nothing blinks under the finger. */
export interface Shown {
  readonly answered: Answered | null;
  readonly a: string | null;
  readonly b: string | null;
  readonly family: readonly string[];
}

/** Words and figures that are fetched when they are shown. */
export type TextsState =
  | { readonly kind: "none" | "loading" | "failed"; readonly texts: null }
  | { readonly kind: "here"; readonly texts: Texts };

/** The list of published figures. What its runs answered stays for as long as the page. */
export interface Published extends FigureAnswers {
  readonly isOpen: boolean;
  /** Experiments whose figures are wanted, by preset. */
  readonly asked: ReadonlySet<string>;
}

export interface AppState extends LinkState {
  readonly catalogue: Catalogue;
  readonly inHand: InHand | null;
  /** Where one can go back to, and forth. */
  readonly past: readonly Place[];
  readonly future: readonly Place[];
  readonly opening: number;
  readonly results: Results;
  readonly shown: Shown;
  /** The first sketch of a preset as it was kept; null: none is here. */
  readonly kept: Kept | null;
  readonly texts: TextsState;
  readonly published: Published;
  readonly failure: FailureNote | null;
  /** The simulation refused the scenario; nothing runs until it changes. */
  readonly isRefused: boolean;
  /** Names of points that failed and are left out. */
  readonly leftOut: readonly string[];
  /** Something to tell that is no error: unknown keys in a link. */
  readonly notice: string | null;
  /** Event budget as a multiple of the scenario's own, after “Run longer”. */
  readonly budgetFactor: number;
  /** The preset whose pairs behind a published difference are asked for; null: none. */
  readonly variantsOf: string | null;
  /** A hand has stopped what was under way; it goes on when it is told to, or when something else is asked for. */
  readonly isStopped: boolean;
  /** Counts “Run again”, so that the same scenario is asked anew. */
  readonly attempt: number;
  /** The link changed by: typing in the bar or Back (nothing to push), or an edit here. */
  readonly linkOrigin: "link" | "edit";
}

export const nothingShown: Shown = { answered: null, a: null, b: null, family: [] };

const nothingPublished: Published = { isOpen: false, asked: new Set(), reports: new Map(), failed: new Set() };

export function initialState(catalogue: Catalogue, view: ViewState = plainView): AppState {
  const first = presetOf(catalogue, "");
  return {
    ...freshLink(catalogue, first.id, view), catalogue, inHand: null, past: [], future: [], opening: 0,
    results: noResults, shown: nothingShown, kept: null, texts: { kind: "none", texts: null },
    published: nothingPublished, failure: null, isRefused: false, leftOut: [], notice: null, budgetFactor: 1,
    variantsOf: null, isStopped: false, attempt: 0, linkOrigin: "link",
  };
}
