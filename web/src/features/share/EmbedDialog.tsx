import { useState } from "react";
import { CopyText } from "../../ui/CopyText";
import { DialogBox } from "../../ui/DialogBox";
import { embedSnippet } from "./embedSnippet";

export interface EmbedDialogProps {
  readonly isOpen: boolean;
  readonly link: string;
  readonly shown: readonly string[];
  /** What the frame can show. */
  readonly parts: readonly { readonly id: string; readonly title: string }[];
  readonly theme: string;
  readonly onClose: () => void;
}

export function EmbedDialog({ isOpen, link, shown, parts, theme, onClose }: EmbedDialogProps) {
  const [panels, setPanels] = useState<readonly string[]>(["answer", "curve", "knobs"]);
  const flip = (name: string) =>
    setPanels((was) => (was.includes(name) ? was.filter((other) => other !== name) : [...was, name]));
  return (
    <DialogBox title="Embed in a course page" isOpen={isOpen} onClose={onClose}>
      <p>
        The same page without its frame. The host may read and set its state by message; nothing leaves the reader’s
        browser.
      </p>
      <p className="mute fine">
        It speaks with the page that holds it. One that sends no referrer is named by{" "}
        <code>&amp;origin=https://…</code> in the address, or gets a MessagePort with the message <code>port</code>.
      </p>
      <fieldset className="embed-panels">
        <legend className="unseen">Panels</legend>
        {parts.map(({ id, title }) => (
          <label key={id}>
            <input type="checkbox" checked={panels.includes(id)} onChange={() => flip(id)} /> {title}
          </label>
        ))}
      </fieldset>
      <CopyText
        label="Embed snippet"
        text={
          isOpen
            ? embedSnippet({
                link, panels: parts.map(({ id }) => id).filter((id) => panels.includes(id)), show: shown, theme,
              })
            : ""
        }
      />
    </DialogBox>
  );
}
