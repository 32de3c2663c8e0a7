import { DialogBox } from "../../ui/DialogBox";
import { Sourced } from "../../ui/Sourced";
import { Fetched, type TextsStage } from "./Fetched";
import { leftOut } from "./leftOut";

export interface LeavesOutDialogProps {
  readonly isOpen: boolean;
  /** What the scenario itself says it leans on. */
  readonly note: string;
  readonly assumptions: readonly { readonly knob: string; readonly why: string }[];
  /** Where the other defaults are from, with the knobs that have them from there. */
  readonly sources: readonly (readonly [source: string, knobs: readonly string[]])[];
  /** How far the words of the assumptions are. */
  readonly stage: TextsStage;
  readonly onClose: () => void;
}

export function LeavesOutDialog({ isOpen, note, assumptions, sources, stage, onClose }: LeavesOutDialogProps) {
  return (
    <DialogBox title="What this model leaves out" isOpen={isOpen} onClose={onClose}>
      <p>
        A model is useful where it is wrong in ways one knows. These things happen on a real host and do not happen
        here.
      </p>
      <dl>
        {leftOut.map((row) => (
          <div key={row.what}>
            <dt>{row.what}</dt>
            <dd>{row.effect}</dd>
          </div>
        ))}
      </dl>
      {note === "" ? null : (
        <>
          <h3>This scenario</h3>
          <p>{note}</p>
        </>
      )}
      {assumptions.length === 0 ? null : <h3>Assumed, because nobody published a measurement</h3>}
      {assumptions.length === 0 ? null : <Fetched stage={stage} what="Why each is assumed" />}
      <dl>
        {assumptions.map((row) => (
          <div key={row.knob}>
            <dt>
              <code>{row.knob}</code>
            </dt>
            <dd>{row.why}</dd>
          </div>
        ))}
      </dl>
      {sources.length === 0 ? null : <h3>Where the other defaults are from</h3>}
      <dl>
        {sources.map(([source, knobs]) => (
          <div key={source}>
            <dt>
              <Sourced text={source} />
            </dt>
            <dd>{knobs.map((knob, i) => <span key={knob}>{i === 0 ? "" : ", "}<code>{knob}</code></span>)}</dd>
          </div>
        ))}
      </dl>
      <p className="mute fine">
        <a href="licences.txt">Licences</a> of this page and of all that it is made from.
      </p>
    </DialogBox>
  );
}
