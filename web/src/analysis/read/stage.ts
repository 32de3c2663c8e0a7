/** How far an answer is. */
import type { AnalysisInput } from "./input";
import type { Stage } from "./types";

/** Both sides go on until both are precise. */
export function worse(reached: number | null, a: AnalysisInput["fullA"]): number | null {
  if (a === null || reached === null) return reached;
  const other = a.report.precision.reached;
  return other === null ? null : Math.max(reached, other);
}

/** Short runs, of this visit or kept. */
export const isSketch = ({ kind }: Stage): boolean => kind === "coarse" || kind === "kept";

/** The page refines to the precision asked; less than that is a miss unless it is still under way. */
export function stageOf(input: AnalysisInput): Stage {
  const { refusal, failure, fullA, fullB, isCoarse, isStopped, progress, kept, precisionAsked: asked } = input;
  if (refusal !== null) return { kind: "refused", message: refusal };
  if (failure !== null) return { kind: "failed", message: failure };
  if (isStopped && isCoarse && fullB !== null) return { kind: "coarse", isStopped };
  if (progress !== null && fullB !== null)
    return { kind: "refining", precision: worse(progress.precision, fullA), asked };
  if (fullB === null) return kept === null ? { kind: "empty" } : { kind: "kept", isStopped };
  if (isCoarse) return { kind: "coarse", isStopped };
  const precision = worse(fullB.report.precision.reached, fullA);
  const cut = [fullB, fullA].find((side) => side?.report.precision.truncated);
  if (cut || precision === null)
    return { kind: "truncated", precision, asked, events: (cut ?? fullB).report.events };
  return { kind: "settled", precision, asked };
}
