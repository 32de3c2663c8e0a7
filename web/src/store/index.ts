/** What the page may know of the store. */
export type { Action } from "./actions";
export { selectAxes, selectHandle, type AxesChoice } from "./axesChoice";
export { browserLink, memoryLink, type LinkPort } from "./linkPort";
export type { AppState, TextsState } from "./state";
export { selectRepair, type Repair } from "./repair";
export { createAppStore, type AppStore, type Checked, type Fitting } from "./store";
export { plainView, type ViewState } from "./urlState";
export type { Fitted, KnobValue, KnobValues, Trying } from "../engine";
export {
  selectCanRedo, selectCanUndo, selectCommandLine, selectFault, selectFigures, selectHostCount, selectInput,
  selectKnobs, selectPage, selectPresets, selectSharedLink, type KnobRow, timelineInput, type PresetRow,
  type TimelineInput,
} from "./selectors";
export { selectIsBusy, selectWork, type Work } from "./work";
