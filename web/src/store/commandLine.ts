/** The same figures from the command line; of no use before somebody asks for it. */
import { CHEAP_METRICS } from "./axes";
import { textOf } from "./readValue";
import { Scenario } from "./scenario";
import type { AppState } from "./state";
import { presetOf } from "./values";
import { budgetOf, keysOf, precisionOf, queryOfKey } from "./wanted";

function shellWord(text: string): string {
  return /^[\w@.,:/=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Of B (or A), with seed and precision. */
export function selectCommandLine(state: AppState, side: "A" | "B" = "B"): string {
  const preset = presetOf(state.catalogue, state.preset);
  const budget = budgetOf(state);
  const { fullA, fullB, metric } = keysOf(state);
  const other = queryOfKey(side === "A" ? fullB : fullA);
  const layers = [state.base, ...(side === "A" ? [state.ghost] : []), budget === null ? {} : { max_events: budget }];
  const sets = new Scenario(state.catalogue, preset, layers).differences()
    .filter(([key]) => key !== "precision")
    .map(([key, value]) => `--set ${shellWord(`${key}=${textOf(value)}`)}`);
  return [
    "npm run -s sim -- run", preset.id, ...sets, `--seed ${state.view.seed}`, `--precision ${precisionOf(state)}`,
    ...(CHEAP_METRICS.has(metric.id) ? [] : [`--figure ${metric.id}`]),
    // Side by side, for both have equal horizons on the page.
    ...(fullA === fullB ? [] : [`--against ${shellWord(other)}`]),
  ].join(" ");
}
