/** What the page would be given of a link, from the simulation itself: both sides at once, as the page asks. */
import type { AnalysisInput } from "../analysis";
import type { FullAnswer, RunOptions } from "../engine";
import { builtCatalogue } from "../engine/browserEngine";
import type { Report } from "../engine/report";
import type { WasmModule, WasmRun } from "../engine/wasmModule";
import { noResults } from "../store/results";
import { selectInput } from "../store/selectors";
import { initialState } from "../store/state";
import { decodeLink } from "../store/urlState";
import { keysOf, queryOfKey } from "../store/keys";

/** Events that a run may take where a test says nothing else: enough for eight starts of some seconds each. */
const FEW_EVENTS = 150_000;

function finished(run: WasmRun): WasmRun {
  while (run.advance(1e12)[0] !== 1);
  return run;
}

function answerOf(run: WasmRun, ofA: boolean): FullAnswer {
  return { report: JSON.parse(run.report(ofA)) as Report, data: Float64Array.from(run.data(ofA)), elapsedMs: 1 };
}

/** B and A of two scenario texts, links or documents, with equal starts and horizons; A is B where it is not given. */
export function simulatedPair(
  module: WasmModule, b: string, a: string | null, maxEvents = FEW_EVENTS, seed = 42,
): readonly [FullAnswer, FullAnswer] {
  const options: RunOptions = {
    goal: "full", precision: 0.03, seed, coarse: false, record: 0, maxEvents, ...(a === null ? {} : { against: a }),
  };
  const run = finished(new module.Run(b, JSON.stringify(options)));
  const ofB = answerOf(run, false);
  const both = [a === null ? ofB : answerOf(run, true), ofB] as const;
  run.free();
  return both;
}

/** Null where the page or the simulation refuses the link. */
export function simulatedInput(module: WasmModule, link: string, maxEvents = FEW_EVENTS): AnalysisInput | null {
  const decoded = decodeLink(builtCatalogue, link);
  if (!decoded.ok) return null;
  const state = { ...initialState(builtCatalogue), ...decoded.link };
  const { fullA, fullB } = keysOf(state);
  try {
    const other = fullA === fullB ? null : queryOfKey(fullA);
    const [a, b] = simulatedPair(module, queryOfKey(fullB), other, maxEvents, state.view.seed);
    const fulls = new Map([a, b].map((fine, i) => [i === 0 ? fullA : fullB, { coarse: null, fine, progress: null }]));
    // There are no curves, for which the page would wait: what is here stands.
    return { ...selectInput({ ...state, results: { ...noResults, fulls } }), isCoarse: false };
  } catch {
    return null;
  }
}
