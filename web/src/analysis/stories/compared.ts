/** What of the sessions is compared: the sentence of the interval says it, and the axis below it turns by it. */
import type { AnalysisInput } from "../read/input";
import { differencesAt } from "../sides/differences";
import type { Compared } from "../sides/hinge";
import { comparedBy, isOfBAlone } from "./basis";
import { elapsedDifference } from "./ended";

/** Null where there is but one scenario, or one of two has not run, does nothing, or ends while the other does not. */
export function comparedIn(input: AnalysisInput): Compared | null {
  const { fullA, fullB, differs } = input;
  if (fullA === null || fullB === null || differs.length === 0) return null;
  const elapsed = elapsedDifference(fullA.report, fullB.report);
  if (elapsed !== null) return { metric: "elapsed_s", difference: elapsed };
  if (fullA.report.ended.length + fullB.report.ended.length > 0 || isOfBAlone(fullA.report, fullB.report)) return null;
  const all = differencesAt(fullA.report, fullB.report, input.metric.id);
  return comparedBy(input, fullA.report, fullB.report) === "response"
    ? { metric: "response_mean_ms", difference: all.response }
    : { metric: "throughput_lio", difference: all.throughput };
}
