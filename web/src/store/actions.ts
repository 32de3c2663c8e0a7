/** Everything that can happen to the state. Closed: the reducer handles each. */
import type { Measured } from "../analysis";
import type { KnobValue, KnobValues, Report, Texts } from "../engine";
import type { Kept } from "./kept";
import type { FailureNote, ResultItem } from "./results";
import type { ViewState } from "./urlState";

export type Action =
  | { readonly type: "knobChanged"; readonly id: string; readonly value: KnobValue; readonly phase: "drag" | "commit" }
  /** Several knobs that belong together, in one step. */
  | { readonly type: "knobsSet"; readonly values: KnobValues }
  /** A value in place of one that was refused, on the side that has it. */
  | { readonly type: "repaired"; readonly id: string; readonly value: KnobValue; readonly side: "A" | "B" | "both" }
  | { readonly type: "dragCancelled" }
  | { readonly type: "presetChosen"; readonly preset: string }
  | { readonly type: "sideChosen"; readonly side: ViewState["side"] }
  /** The host whose knobs and charts are shown; null: all, side by side. */
  | { readonly type: "hostChosen"; readonly host: number | null }
  /** `by`: a second knob for the map; null: none. */
  | { readonly type: "axesChosen"; readonly y?: string; readonly x?: string; readonly by?: string | null }
  /** Points that the reader measured; null: none. */
  | { readonly type: "pointsLaid"; readonly points: Measured | null }
  | { readonly type: "viewChosen"; readonly view: ViewState["view"] }
  /** A process to follow through the timeline; null: none. */
  | { readonly type: "followChosen"; readonly process: number | null }
  | { readonly type: "timelineSideChosen"; readonly side: ViewState["timelineSide"] }
  /** What the timeline shows, in simulated ms; null: all of it. */
  | { readonly type: "timelineWindowChosen"; readonly window: ViewState["timelineWindow"] }
  | { readonly type: "themeChosen"; readonly theme: ViewState["theme"] }
  | { readonly type: "paletteChosen"; readonly palette: ViewState["palette"] }
  /** A stops overriding this knob and follows B. */
  | { readonly type: "overrideDropped"; readonly id: string }
  | { readonly type: "titleChanged"; readonly title: string }
  | { readonly type: "noteChanged"; readonly note: string }
  | { readonly type: "seedChanged"; readonly seed: number }
  | { readonly type: "undo" }
  | { readonly type: "redo" }
  /** Back to the preset as it is. */
  | { readonly type: "reset" }
  | { readonly type: "linkOpened"; readonly hash: string }
  | { readonly type: "linkErrorDismissed" }
  | { readonly type: "runLonger" }
  | { readonly type: "runAgain" }
  /** What is under way stops; it goes on from there. */
  | { readonly type: "runsStopped" }
  | { readonly type: "runsResumed" }
  /** What a published difference could come from is to be run. */
  | { readonly type: "variantsAsked" }
  | { readonly type: "resultsArrived"; readonly items: readonly ResultItem[] }
  | { readonly type: "keptArrived"; readonly kept: Kept }
  /** Words and figures of the tables are to be shown; they are here; they could not be fetched. */
  | { readonly type: "textsAsked" }
  | { readonly type: "textsArrived"; readonly texts: Texts }
  | { readonly type: "textsFailed" }
  | { readonly type: "publishedOpened" }
  | { readonly type: "publishedClosed" }
  /** The figures of one more experiment are wanted, or no longer. */
  | { readonly type: "publishedTurned"; readonly preset: string }
  /** Runs behind published figures ended, by query. */
  | {
      readonly type: "figuresArrived";
      readonly reports: ReadonlyMap<string, Report>;
      readonly failed: readonly string[];
    }
  | { readonly type: "runFailed"; readonly note: FailureNote }
  /** Points of curves failed, the scenario itself did not; or they cannot be, which is nothing to tell. */
  | {
      readonly type: "pointsFailed";
      readonly names: readonly string[];
      readonly scenario: string;
      readonly isRefused: boolean;
    }
  /** The decoder refused what the page took for a good scenario. */
  | { readonly type: "scenarioRefused"; readonly message: string };
