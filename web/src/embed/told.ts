/** What of a page's state is told to its host. */
import { answerOf, type ToldFigures } from "../analysis";
import { selectInput, selectPage, selectSharedLink, type AppState } from "../store";
import type { FrameState } from "./protocol";

/** Finding and stage are of the scenario of the link, or of none. */
export function stateIn(state: AppState): FrameState {
  const { finding, stage } = selectPage(state);
  const isOther = selectInput(state).isBehind;
  return {
    link: selectSharedLink(state), finding: isOther ? "" : finding.headline, stage: isOther ? "empty" : stage.kind,
    notice: state.notice,
  };
}

/** The answer, once it stands. */
export function answerIn(state: AppState): ToldFigures | null {
  const input = selectInput(state);
  const { kind } = selectPage(state).stage;
  const stands = !input.isBehind && (kind === "settled" || kind === "truncated");
  return stands ? answerOf(input, state.catalogue.metrics) : null;
}
