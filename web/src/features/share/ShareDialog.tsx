import { CopyText } from "../../ui/CopyText";
import { DialogBox } from "../../ui/DialogBox";
import { Outward } from "../../ui/Outward";
import { realTests } from "./realTests";

export interface ShareDialogProps {
  readonly isOpen: boolean;
  readonly preset: string;
  readonly link: string;
  readonly commandLine: string;
  readonly title: string;
  readonly note: string;
  readonly onTitle: (title: string) => void;
  readonly onNote: (note: string) => void;
  readonly onClose: () => void;
}

/** What would check the preset elsewhere. */
function OnMachine({ preset }: { readonly preset: string }) {
  const real = realTests[preset];
  if (real === undefined) return null;
  return (
    <>
      <h3>On a real machine, with no knob moved</h3>
      {real.command === null || real.tool === null ? (
        <p>There is no command line for it. {real.what}</p>
      ) : (
        <>
          <p>
            <Outward to={real.tool.address}>{real.tool.name}</Outward>. {real.what}
          </p>
          <CopyText label="Command line of a real test" text={real.command} />
        </>
      )}
    </>
  );
}

export function ShareDialog(
  { isOpen, preset, link, commandLine, title, note, onTitle, onNote, onClose }: ShareDialogProps,
) {
  return (
    <DialogBox title="Share this picture" isOpen={isOpen} onClose={onClose}>
      <label className="field">
        <span>Title</span>
        <input
          type="text" maxLength={120} value={title} placeholder="as the scenario"
          onChange={(event) => onTitle(event.target.value)}
        />
      </label>
      <label className="field">
        <span>Note</span>
        <textarea
          rows={2} maxLength={1000} value={note} placeholder="what to look at"
          onChange={(event) => onNote(event.target.value)}
        />
      </label>
      <h3>Link</h3>
      <p>It holds both sides, the seed and the view. Whoever opens it computes the same figures.</p>
      <CopyText label="Link to this picture" text={link} />
      <h3>Command line, side B</h3>
      <p>Run in a copy of the project: the same scenario and seed, the same numbers.</p>
      <CopyText label="Command line for side B" text={commandLine} />
      <OnMachine preset={preset} />
    </DialogBox>
  );
}
