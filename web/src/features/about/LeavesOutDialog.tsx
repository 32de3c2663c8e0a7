import { DialogBox } from "../../ui/DialogBox";
import { assumptions, leftOut } from "./leftOut";

export function LeavesOutDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <DialogBox title="What this model leaves out" isOpen={isOpen} onClose={onClose}>
      <p>A model is useful where it is wrong in ways one knows. These things happen on a real host and do not happen here.</p>
      <dl>
        {leftOut.map((row) => (
          <div key={row.what}>
            <dt>{row.what}</dt>
            <dd>{row.effect}</dd>
          </div>
        ))}
      </dl>
      <h3>Assumed, because nobody published a measurement</h3>
      <dl>
        {assumptions.map((row) => (
          <div key={row.knob}>
            <dt><code>{row.knob}</code></dt>
            <dd>{row.why}</dd>
          </div>
        ))}
      </dl>
    </DialogBox>
  );
}
