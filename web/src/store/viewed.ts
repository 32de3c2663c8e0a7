/** Actions that change how one looks at a scenario, and nothing of the scenario. */
import { assertNever } from "../base/assert";
import type { Action } from "./actions";
import { MOST_NOTE, MOST_TITLE, type ViewState } from "./urlState";

const TYPES = [
  "sideChosen", "hostChosen", "viewChosen", "followChosen", "timelineSideChosen", "timelineWindowChosen",
  "axesChosen", "pointsLaid", "themeChosen", "paletteChosen", "titleChanged", "noteChanged",
] as const;

export type ViewAction = Extract<Action, { type: (typeof TYPES)[number] }>;

export function isViewAction(action: Action): action is ViewAction {
  return (TYPES as readonly string[]).includes(action.type);
}

/** Other axes, another host, the timeline: places to come back to. Colours, titles and windows are none. */
export function isPlace({ type }: ViewAction): boolean {
  return type === "viewChosen" || type === "axesChosen" || type === "hostChosen";
}

/** The timeline, and the page, are drawn from runs of their own. */
export function asksForRuns({ type }: ViewAction): boolean {
  return type === "viewChosen" || type === "timelineSideChosen" || type === "axesChosen";
}

/** By characters: half of one is no text. */
const cut = (text: string, most: number): string => Array.from(text).slice(0, most).join("");

export function viewed(view: ViewState, action: ViewAction): ViewState {
  switch (action.type) {
    case "sideChosen":
      return { ...view, side: action.side };
    case "hostChosen":
      return { ...view, host: action.host };
    case "viewChosen":
      return { ...view, view: action.view };
    case "followChosen":
      return { ...view, follow: action.process };
    case "timelineSideChosen":
      return { ...view, timelineSide: action.side };
    case "timelineWindowChosen":
      return { ...view, timelineWindow: action.window };
    case "axesChosen":
      return {
        ...view, y: action.y ?? view.y, x: action.x ?? view.x, by: action.by === undefined ? view.by : action.by,
      };
    case "pointsLaid":
      return { ...view, points: action.points };
    case "themeChosen":
      return { ...view, theme: action.theme };
    case "paletteChosen":
      return { ...view, palette: action.palette };
    case "titleChanged":
      return { ...view, title: cut(action.title, MOST_TITLE) };
    case "noteChanged":
      return { ...view, note: cut(action.note, MOST_NOTE) };
    default:
      return assertNever(action);
  }
}
