/** Actions that run what the scenario asks for once more, longer, or not now; they change nothing of the scenario. */
import { assertNever } from "../base/assert";
import type { Action } from "./actions";
import type { AppState } from "./state";

const TYPES = ["runLonger", "runAgain", "runsStopped", "runsResumed", "variantsAsked"] as const;

export type RunAction = Extract<Action, { type: (typeof TYPES)[number] }>;

const LONGER = 4;
const MOST_BUDGET = 256;

export function isRunAction(action: Action): action is RunAction {
  return (TYPES as readonly string[]).includes(action.type);
}

export function runReduced(state: AppState, { type }: RunAction): Partial<AppState> {
  switch (type) {
    case "runLonger":
      return { failure: null, isStopped: false, budgetFactor: Math.min(MOST_BUDGET, state.budgetFactor * LONGER) };
    case "runAgain":
      return {
        failure: null, isRefused: false, isStopped: false, leftOut: [], notice: null, attempt: state.attempt + 1,
      };
    case "runsStopped":
    case "runsResumed":
      return { isStopped: type === "runsStopped" };
    case "variantsAsked":
      return { isStopped: false, variantsOf: state.preset };
    default:
      return assertNever(type);
  }
}
