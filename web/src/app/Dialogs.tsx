import { memo } from "react";
import { KeysDialog } from "../features/about/KeysDialog";
import { LeavesOutDialog } from "../features/about/LeavesOutDialog";
import { PublishedDialog } from "../features/about/PublishedDialog";
import { EmbedDialog } from "../features/share/EmbedDialog";
import { ShareDialog } from "../features/share/ShareDialog";
import { sourcesOf } from "../features/knobs/sources";
import { wordsOf } from "../features/knobs/item";
import { helpIn } from "./help";
import type { OpenDialog, PageProps } from "./pageProps";
import { panels, partsOf } from "./panels";

const parts = partsOf(panels);

interface DialogsProps {
  readonly props: PageProps;
  readonly open: OpenDialog;
  readonly onClose: () => void;
}

/** What they say is looked up when one opens: while all are closed nothing is painted. */
export const Dialogs = memo(function Dialogs({ props, open, onClose }: DialogsProps) {
  const link = open === "share" || open === "embed" ? props.link() : "";
  const help = helpIn(props.texts);
  const others = props.allKnobs.filter((item) => item.status !== "free");
  const bases = new Set(others.map(({ base }) => base));
  // Once for all scopes, unless some of them are published or chosen.
  const free = new Set(props.allKnobs.filter((item) => item.status === "free")
    .map(({ key, base }) => (bases.has(base) ? key : base)));
  const assumptions = [...free].map((knob) => ({ knob, why: wordsOf(knob, help)?.help ?? "" }));
  const sources = sourcesOf(others, help);
  return (
    <>
      <ShareDialog
        isOpen={open === "share"} preset={props.preset} link={link}
        commandLine={open === "share" ? props.commandLine() : ""}
        title={props.view.title} note={props.view.note} onTitle={props.on.title} onNote={props.on.note}
        onClose={onClose}
      />
      <EmbedDialog
        isOpen={open === "embed"} link={link} favourites={props.favourites} items={props.knobs} parts={parts}
        onClose={onClose}
      />
      <PublishedDialog
        isOpen={open === "published"} table={props.figures} stage={props.texts.kind} onGroup={props.on.publishedGroup}
        onClose={onClose}
      />
      <LeavesOutDialog
        note={props.presetNote} assumptions={assumptions} sources={sources} stage={props.texts.kind}
        isOpen={open === "leavesOut"}
        onClose={onClose}
      />
      <KeysDialog isOpen={open === "keys"} onClose={onClose} />
    </>
  );
}, (before, after) => before.open === null && after.open === null);
