import { useState } from "react";
import { CopyText } from "../../ui/CopyText";
import { DialogBox } from "../../ui/DialogBox";
import { embedSnippet, panelNames, type PanelName } from "./embedSnippet";

export interface EmbedDialogProps {
  readonly isOpen: boolean;
  readonly link: string;
  readonly shown: readonly string[];
  readonly theme: string;
  readonly onClose: () => void;
}

const words: Record<PanelName, string> = {
  knobs: "Knobs", answer: "Finding", sure: "How sure", curve: "Curve", matrix: "A beside B", events: "Events", trust: "Trust strip",
};

export function EmbedDialog({ isOpen, link, shown, theme, onClose }: EmbedDialogProps) {
  const [panels, setPanels] = useState<readonly PanelName[]>(["answer", "curve", "knobs"]);
  const flip = (name: PanelName) => setPanels((was) => (was.includes(name) ? was.filter((other) => other !== name) : [...was, name]));
  return (
    <DialogBox title="Embed in a course page" isOpen={isOpen} onClose={onClose}>
      <p>The same page without its frame. The host may read and set its state by message; nothing leaves the reader’s browser.</p>
      <p className="mute fine">It speaks with the page that holds it. One that sends no referrer is named by <code>&amp;origin=https://…</code> in the address, or gets a MessagePort with the message <code>port</code>.</p>
      <fieldset className="embed-panels">
        <legend className="unseen">Panels</legend>
        {panelNames.map((name) => (
          <label key={name}><input type="checkbox" checked={panels.includes(name)} onChange={() => flip(name)} /> {words[name]}</label>
        ))}
      </fieldset>
      <CopyText label="Embed snippet" text={isOpen ? embedSnippet({ link, panels: panelNames.filter((name) => panels.includes(name)), show: shown, theme }) : ""} />
    </DialogBox>
  );
}
