import { CopyText } from "../../ui/CopyText";
import { DialogBox } from "../../ui/DialogBox";

export interface ShareDialogProps {
  readonly isOpen: boolean;
  readonly link: string;
  readonly commandLine: string;
  readonly onClose: () => void;
}

export function ShareDialog({ isOpen, link, commandLine, onClose }: ShareDialogProps) {
  return (
    <DialogBox title="Share this picture" isOpen={isOpen} onClose={onClose}>
      <h3>Link</h3>
      <p>It holds both sides, the seed and the view. Whoever opens it computes the same figures.</p>
      <CopyText label="Link to this picture" text={link} />
      <h3>Command line, side B</h3>
      <p>Run in a copy of the project: the same scenario and seed, the same numbers.</p>
      <CopyText label="Command line for side B" text={commandLine} />
    </DialogBox>
  );
}
