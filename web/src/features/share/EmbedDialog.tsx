import { useState } from "react";
import { CopyText } from "../../ui/CopyText";
import { DialogBox } from "../../ui/DialogBox";
import { EmbedKnobs, type KnobOffer } from "./EmbedKnobs";
import { EmbedPreview } from "./EmbedPreview";
import { embedAddress, embedSnippet, listener, type Ends, type ShownKnob } from "./embedSnippet";
import { MessageTable } from "./MessageTable";

export interface EmbedDialogProps {
  readonly isOpen: boolean;
  readonly link: string;
  /** Knobs to begin with, and all that there are. */
  readonly favourites: readonly string[];
  readonly items: readonly KnobOffer[];
  /** What the frame can show. */
  readonly parts: readonly { readonly id: string; readonly title: string }[];
  readonly onClose: () => void;
}

const themes = [
  ["system", "as the reader’s system"], ["light", "light"], ["dark", "dark"], ["projector", "projector"],
] as const;
const HEIGHT = 640;
const TALL = 900;
const [LEAST, MOST] = [200, 4_000];

export function EmbedDialog(props: EmbedDialogProps) {
  return (
    <DialogBox title="Embed in a course page" size="full" isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen ? <Builder {...props} /> : null}
    </DialogBox>
  );
}

/** How far a knob goes. */
const endsIn = (items: readonly KnobOffer[]) => (key: string): Ends => {
  const item = items.find((one) => one.key === key);
  const { min, max } = item?.range ?? { min: 0, max: 1 };
  return { min, max, least: item?.limits.min ?? min, most: item?.limits.max ?? max };
};

function firstKnobs(favourites: readonly string[], items: readonly KnobOffer[]): readonly ShownKnob[] {
  return items
    .filter(({ key, base }) => favourites.includes(key) || (favourites.includes(base) && key === base))
    .map(({ key }) => ({ key, isLocked: false, from: "", to: "" }));
}

function Builder({ link, favourites, items, parts }: EmbedDialogProps) {
  const [panels, setPanels] = useState<readonly string[]>(["answer", "curve", "knobs"]);
  const [knobs, setKnobs] = useState(() => firstKnobs(favourites, items));
  const [areAxesLocked, setAxesLocked] = useState(false);
  const [theme, setTheme] = useState("system");
  const [typed, setTyped] = useState("");
  const usual = panels.includes("matrix") ? TALL : HEIGHT;
  const height = Math.round(Math.min(MOST, Math.max(LEAST, Number(typed) || usual)));
  const flip = (name: string) =>
    setPanels((was) => (was.includes(name) ? was.filter((other) => other !== name) : [...was, name]));
  const inOrder = parts.map(({ id }) => id).filter((id) => panels.includes(id));
  const address = embedAddress({ link, panels: inOrder, knobs, areAxesLocked, theme, height }, endsIn(items));
  return (
    <>
      <div className="embed">
        <div>
          <fieldset className="embed-panels">
            <legend>Panels</legend>
            {parts.map(({ id, title }) => (
              <label key={id}>
                <input type="checkbox" checked={panels.includes(id)} onChange={() => flip(id)} /> {title}
              </label>
            ))}
          </fieldset>
          {panels.includes("knobs") ? <EmbedKnobs knobs={knobs} items={items} onKnobs={setKnobs} /> : null}
          <div className="embed-look">
            <label>
              <input type="checkbox" checked={areAxesLocked} onChange={() => setAxesLocked((was) => !was)} />
              What stands on the axes stays there
            </label>
            <label>
              Theme{" "}
              <select value={theme} onChange={(event) => setTheme(event.target.value)}>
                {themes.map(([id, label]) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            <label>
              Height{" "}
              <input
                type="text" inputMode="numeric" value={typed} placeholder={String(usual)}
                onChange={(event) => setTyped(event.target.value.replace(/\D/g, ""))}
              />{" "}
              px
            </label>
          </div>
          <h3>The frame</h3>
          <CopyText label="Embed snippet" text={embedSnippet(address, height)} />
        </div>
        <EmbedPreview address={address} height={height} />
      </div>
      <h3>The answers</h3>
      <p>Below the frame, in the page that holds it. Nothing else leaves the reader’s browser.</p>
      <CopyText label="Script that hears the answers" text={listener} />
      <MessageTable />
    </>
  );
}
