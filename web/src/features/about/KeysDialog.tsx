import { DialogBox } from "../../ui/DialogBox";

const keys = [
  ["Tab", "to the next knob, chart or button"],
  ["← → ↑ ↓", "one step of the knob or of the cursor in a chart"],
  ["Page Up, Page Down", "a larger step"],
  ["Home, End", "the ends of the range"],
  ["0 … 9", "on a slider: type the value, Enter takes it"],
  ["T", "the timeline, and back; in a chart: its numbers as a table, and back"],
  ["Esc", "leaves the cursor, a menu or a dialog"],
  ["Ctrl+Z, Ctrl+Y", "undo and redo"],
  ["?", "this list, outside of a field"],
] as const;

export function KeysDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <DialogBox title="Keys" isOpen={isOpen} onClose={onClose}>
      <dl className="keys">
        {keys.map(([key, what]) => [<dt key={key}>{key}</dt>, <dd key={`${key} does`}>{what}</dd>])}
      </dl>
    </DialogBox>
  );
}
