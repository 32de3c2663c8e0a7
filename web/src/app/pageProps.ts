import type { AnalysisInput, FigureTable, Measured } from "../analysis";
import type { PageModel } from "../analysis/types";
import type { DialogName } from "../features/bar/Bar";
import type { AxesWanted } from "../features/curve/AxisMenus";
import type { KnobEdit, KnobItem } from "../features/knobs/item";
import type { AxesChoice, Fitting, Repair, TextsState, TimelineInput, ViewState, Work } from "../store";
import type { RunKind } from "../charts/throughput/words";
import type { Range } from "../ui/scale";

/** All that the page shows and can ask for. It holds no store, so a test may paint it from a fixture. */
export interface PageProps {
  readonly page: PageModel;
  /** What the panels are worked out from. */
  readonly input: AnalysisInput;
  readonly knobs: readonly KnobItem[];
  /** Those, too, that a frame or a link does not show. */
  readonly allKnobs: readonly KnobItem[];
  readonly favourites: readonly string[];
  readonly presets: readonly { readonly id: string; readonly title: string; readonly question?: string | undefined }[];
  readonly preset: string;
  readonly presetTitle: string;
  readonly view: ViewState;
  readonly hostCount: number;
  readonly nameA: string;
  readonly nameB: string;
  /** What the menus of the curve offer. */
  readonly axes: AxesChoice;
  readonly sweep: {
    readonly knob: string;
    readonly words: readonly string[] | null;
    readonly range: Range;
    readonly isLocked: boolean;
  };
  /** What the timeline is drawn from; null until its run is in. */
  readonly timeline: TimelineInput | null;
  /** The knob of the drag that is going on. */
  readonly heldKnob: string | null;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly notice: string | null;
  /** What would make a refused scenario run; null: nothing is refused, or nothing known would. */
  readonly repair: Repair | null;
  /** The notice says that something is wrong. */
  readonly isAlarming: boolean;
  /** Asked for when a dialog opens, so that dragging need not spell them out. */
  readonly link: () => string;
  readonly commandLine: () => string;
  /** What the scenario leans on, in its own words. */
  readonly presetNote: string;
  /** Words of knobs and published figures, as far as they are here. */
  readonly texts: TextsState;
  /** Published beside simulated. */
  readonly figures: FigureTable;
  readonly isFaded: boolean;
  readonly brokenLaw: string | null;
  /** Something of this scenario is still being computed. */
  readonly isBusy: boolean;
  /** What of it, while no hand is on a knob; or what a hand has stopped. */
  readonly work: Work | null;
  /** Frames of it that have been painted: what stands in the first is there before what comes later. */
  readonly painted: number;
  /** Without bar and dialogs, and only these panels. */
  readonly panels: readonly string[] | null;
  readonly on: PageActions;
}

export interface PageActions extends KnobEdit {
  readonly preset: (id: string) => void;
  readonly repair: (repair: Repair, word: string) => void;
  readonly side: (side: ViewState["side"]) => void;
  readonly axes: (axes: AxesWanted) => void;
  readonly host: (host: number | null) => void;
  readonly view: (view: ViewState["view"]) => void;
  readonly timelineSide: (side: ViewState["timelineSide"]) => void;
  readonly follow: (process: number | null) => void;
  readonly timelineWindow: (window: ViewState["timelineWindow"]) => void;
  /** `theme:dark`, `palette:oem`. */
  readonly look: (id: string) => void;
  readonly past: (kind: "undo" | "redo" | "reset") => void;
  readonly run: (kind: RunKind) => void;
  readonly stop: () => void;
  readonly goOn: () => void;
  readonly title: (title: string) => void;
  readonly note: (note: string) => void;
  /** Words of knobs or published figures are about to be shown. */
  readonly texts: () => void;
  /** The list of published figures is opened or closed: its runs begin and end with it. */
  readonly published: (isOpen: boolean) => void;
  /** The figures of one experiment are opened or closed. */
  readonly publishedGroup: (preset: string) => void;
  /** What a published difference could come from is run. */
  readonly variants: () => void;
  /** Finds a knob from what the reader measured; the answer stops it. */
  readonly fit: (free: string, hear: (word: Fitting) => void) => () => void;
  /** What the reader measured; null: nothing. */
  readonly points: (points: Measured | null) => void;
  readonly dismissNotice: () => void;
}

export type OpenDialog = DialogName | null;
