import { memo } from "react";
import { Icon } from "../../ui/Icon";
import { MenuButton, type MenuGroup } from "../../ui/MenuButton";
import { Sides, type SidesProps } from "./Sides";

export type DialogName = "share" | "embed" | "published" | "leavesOut" | "keys";

export interface BarProps extends SidesProps {
  readonly title: string;
  readonly presets: readonly { readonly id: string; readonly title: string; readonly question?: string | undefined }[];
  readonly preset: string;
  readonly theme: string;
  readonly palette: string;
  readonly layout: "wide" | "drawer" | "phone";
  /** Not wide enough for every word: some stand in the menu. */
  readonly isTight: boolean;
  /** Room for the scenario and the sides alone: all else stands in the menu, as on a phone. */
  readonly isSmall: boolean;
  readonly isDrawerOpen: boolean;
  readonly isTimeline: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly onPreset: (id: string) => void;
  /** What the presets ask is wanted. */
  readonly onTexts: () => void;
  readonly onPast: (kind: "undo" | "redo" | "reset") => void;
  readonly onOpen: (dialog: DialogName) => void;
  readonly onLook: (id: string) => void;
  readonly onDrawer: () => void;
  readonly onTimeline: () => void;
}

const themes = [["system", "As the system"], ["light", "Light"], ["dark", "Dark"], ["projector", "Projector"]] as const;
const palettes = [["default", "Told apart by everyone"], ["oem", "OEM classic"]] as const;

const takeAlong: MenuGroup = {
  title: "Take along",
  choices: [
    { id: "open:embed", label: "Embed" }, { id: "open:published", label: "Published figures" },
  ],
};

function lookGroups(theme: string, palette: string): readonly MenuGroup[] {
  return [
    { title: "Theme", choices: themes.map(([id, label]) => ({ id: `theme:${id}`, label, isSelected: id === theme })) },
    {
      title: "Wait classes",
      choices: palettes.map(([id, label]) => ({ id: `palette:${id}`, label, isSelected: id === palette })),
    },
  ];
}

export const Bar = memo(function Bar(props: BarProps) {
  const isPhone = props.layout === "phone";
  const isShort = isPhone || props.isSmall;
  const presetGroups = [
    {
      title: "Scenario",
      choices: props.presets.map((p) => ({
        id: p.id, label: p.title, detail: p.question ?? "", isSelected: p.id === props.preset,
      })),
    },
  ];
  return (
    <header className="banner">
      <div className="bar">
        {isShort ? null : <span className="name">Wait, What If</span>}
        {props.layout === "drawer" ? (
          <button type="button" className="pick" aria-expanded={props.isDrawerOpen} onClick={props.onDrawer}>
            <Icon name="knobs" />
            Knobs
          </button>
        ) : null}
        <MenuButton className="pick" groups={presetGroups} onOpen={props.onTexts} onChoose={props.onPreset}>
          <span>{props.title}</span>
          <Icon name="down" />
        </MenuButton>
        {isPhone ? null : <Sides side={props.side} nameA={props.nameA} nameB={props.nameB} onSide={props.onSide} />}
        {isShort ? null : <Past canUndo={props.canUndo} canRedo={props.canRedo} onPast={props.onPast} />}
        <span className="spacer" />
        <Tools {...props} isPhone={isShort} />
      </div>
      {isPhone ? <Sides side={props.side} nameA={props.nameA} nameB={props.nameB} onSide={props.onSide} /> : null}
    </header>
  );
});

function Past({ canUndo, canRedo, onPast }: Pick<BarProps, "canUndo" | "canRedo" | "onPast">) {
  return (
    <div className="past">
      <button type="button" aria-label="Undo" title="Undo (Ctrl+Z)" disabled={!canUndo} onClick={() => onPast("undo")}>
        <Icon name="undo" />
      </button>
      <button type="button" aria-label="Redo" title="Redo (Ctrl+Y)" disabled={!canRedo} onClick={() => onPast("redo")}>
        <Icon name="redo" />
      </button>
      <button type="button" title="Back to the scenario as it is" onClick={() => onPast("reset")}>
        Reset
      </button>
    </div>
  );
}

function Tools({
  isPhone, isTight, isTimeline, theme, palette, canUndo, canRedo, onOpen, onLook, onPast, onTimeline,
}: BarProps & { readonly isPhone: boolean }) {
  const look = lookGroups(theme, palette);
  const more: readonly MenuGroup[] = isPhone
    ? [
        {
          title: "Scenario",
          choices: [
            { id: "timeline", label: "Timeline", isSelected: isTimeline },
            ...(canUndo ? [{ id: "past:undo", label: "Undo" }] : []),
            ...(canRedo ? [{ id: "past:redo", label: "Redo" }] : []), { id: "past:reset", label: "Reset" },
          ],
        },
        takeAlong, ...look,
      ]
    : isTight
      ? [takeAlong, ...look]
      : look;
  const onChoose = (id: string) => {
    const [kind, value = ""] = id.split(":");
    if (kind === "timeline") onTimeline();
    else if (kind === "past") onPast(value as "undo" | "redo" | "reset");
    else if (kind === "open") onOpen(value as DialogName);
    else onLook(id);
  };
  return (
    <nav className="tools" aria-label="Page">
      {isPhone ? (
        <button type="button" aria-label="Share" onClick={() => onOpen("share")}>
          <Icon name="share" />
        </button>
      ) : (
        <>
          <button type="button" aria-pressed={isTimeline} title="Who ran where (T)" onClick={onTimeline}>
            Timeline
          </button>
          <button type="button" onClick={() => onOpen("share")}>
            Share
          </button>
          {isTight ? null : (
            <button type="button" onClick={() => onOpen("embed")}>
              Embed
            </button>
          )}
          {isTight ? null : (
            <button type="button" onClick={() => onOpen("published")}>
              Published
            </button>
          )}
        </>
      )}
      <MenuButton label={isPhone || isTight ? "More" : "Theme and colours"} groups={more} onChoose={onChoose}>
        <Icon name="theme" />
      </MenuButton>
    </nav>
  );
}
