/** Whether what a dialog shows is here yet. */
export type TextsStage = "none" | "loading" | "failed" | "here";

/** `what`: the subject of the sentence. Nothing once it is here. */
export function Fetched({ stage, what }: { readonly stage: TextsStage; readonly what: string }) {
  if (stage === "here") return null;
  const words =
    stage === "failed" ? "could not be loaded. Close this and open it again to try once more." : "is being loaded …";
  return <p className="mute" role="status">{what} {words}</p>;
}
