/** What of a page's state is told to its host. */
import {
  answerOf, hasDatabase, hasGroups, hasPairs, hasTrace, type AnalysisInput, type ToldFigures,
} from "../analysis";
import type { Report } from "../engine";
import { selectInput, selectPage, selectSharedLink, type AppState } from "../store";
import type { FrameState } from "./protocol";

/** Panels that few scenarios have, by what their report says. */
const few: Readonly<Record<string, (report: Report | null) => boolean>> = {
  blocks: hasPairs, redo: hasDatabase, statspack: hasDatabase, tkprof: hasTrace, groups: hasGroups,
};

/** What is said where a scenario has none of the panels that are asked for; empty: it has one, or nothing has run. */
export function noneOf(
  asked: readonly string[], { fullB, preset, map }: Pick<AnalysisInput, "fullB" | "preset" | "map">,
): string {
  const isThere = (id: string): boolean =>
    id === "host" ? preset.opens === id : id === "map" ? map !== null
      : id === "variants" ? preset.variants !== null : few[id]?.(fullB?.report ?? null) ?? true;
  return fullB === null || asked.some(isThere) ? "" : `${asked.join(", ")}: this scenario has none.`;
}

/** Finding and stage are of the scenario of the link, or of none. `panels`: those that the frame is to show. */
export function stateIn(state: AppState, panels: readonly string[]): FrameState {
  const { finding, stage } = selectPage(state);
  const input = selectInput(state);
  const isOther = input.isBehind;
  const none = isOther ? "" : noneOf(panels, input);
  return {
    link: selectSharedLink(state), finding: isOther ? "" : finding.headline, stage: isOther ? "empty" : stage.kind,
    notice: [none, state.notice].filter(Boolean).join(" ") || null,
  };
}

/** The answer, once it stands. */
export function answerIn(state: AppState): ToldFigures | null {
  const input = selectInput(state);
  const { kind } = selectPage(state).stage;
  const stands = !input.isBehind && (kind === "settled" || kind === "truncated");
  return stands ? answerOf(input, state.catalogue.metrics) : null;
}
