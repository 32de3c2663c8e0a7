/** What the address of the frame asks for: `?panels=curve,knobs&show=sessions&theme=dark&palette=oem&origin=…`. */
import { panelNames } from "../app/panelNames";
import { plainView, type ViewState } from "../store";

const themes = ["light", "dark", "projector", "system"] as const;
const palettes = ["default", "oem"] as const;

export interface FrameOptions {
  readonly view: ViewState;
  readonly panels: readonly string[];
  readonly show: readonly string[] | null;
  readonly locked: readonly string[];
  readonly origin: string | null;
}

const list = (text: string | null): readonly string[] =>
  (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
    .slice(0, 64);

export function readFrameOptions(search: string): FrameOptions {
  const query = new URLSearchParams(search);
  const asked = list(query.get("panels")).filter((name) => (panelNames as readonly string[]).includes(name));
  const show = list(query.get("show"));
  return {
    panels: asked.length === 0 ? panelNames : asked,
    origin: query.get("origin"),
    show: show.length === 0 ? null : show,
    locked: list(query.get("lock")),
    view: {
      ...plainView,
      theme: themes.find((name) => name === query.get("theme")) ?? "system",
      palette: palettes.find((name) => name === query.get("palette")) ?? "default",
    },
  };
}
