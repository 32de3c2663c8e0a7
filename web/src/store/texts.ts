/** What is fetched when it is shown, and the list of published figures, which is made of it. */
import type { Action } from "./actions";
import type { AppState } from "./state";

const TYPES = [
  "textsAsked", "textsArrived", "textsFailed", "publishedOpened", "publishedClosed", "publishedTurned",
  "figuresArrived",
] as const;
type TextsAction = Extract<Action, { type: (typeof TYPES)[number] }>;

export function isTextsAction(action: Action): action is TextsAction {
  return (TYPES as readonly string[]).includes(action.type);
}

/** What could not be fetched is tried anew each time it is asked for. */
function textsAsked(state: AppState): AppState {
  return state.texts.kind === "none" || state.texts.kind === "failed"
    ? { ...state, texts: { kind: "loading", texts: null } }
    : state;
}

function textsEnded(state: AppState, action: Extract<Action, { type: "textsArrived" | "textsFailed" }>): AppState {
  return {
    ...state,
    texts: action.type === "textsArrived" ? { kind: "here", texts: action.texts } : { kind: "failed", texts: null },
  };
}

/** What failed is tried anew each time the list is opened. */
function publishedShown(state: AppState, isOpen: boolean): AppState {
  if (state.published.isOpen === isOpen) return state;
  return { ...state, published: { ...state.published, isOpen, asked: new Set([state.preset]), failed: new Set() } };
}

function publishedTurned(state: AppState, preset: string): AppState {
  const asked = new Set(state.published.asked);
  if (!asked.delete(preset)) asked.add(preset);
  return { ...state, published: { ...state.published, asked } };
}

function figuresArrived(state: AppState, action: Extract<Action, { type: "figuresArrived" }>): AppState {
  const { published } = state;
  const reports = new Map([...published.reports, ...action.reports]);
  return { ...state, published: { ...published, reports, failed: new Set([...published.failed, ...action.failed]) } };
}

export function textsReduced(state: AppState, action: TextsAction): AppState {
  switch (action.type) {
    case "textsAsked":
      return textsAsked(state);
    case "textsArrived":
    case "textsFailed":
      return textsEnded(state, action);
    case "publishedOpened":
      return textsAsked(publishedShown(state, true));
    case "publishedClosed":
      return publishedShown(state, false);
    case "publishedTurned":
      return publishedTurned(state, action.preset);
    case "figuresArrived":
      return figuresArrived(state, action);
  }
}
