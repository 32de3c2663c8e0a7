/** The page's colours by the numbers of a scene, read once a theme. */
import { CLASSES } from "../../analysis/read/classes";
import { classTone, kindTone, onClass, TONE, TONES } from "./scene";

export interface Palette {
  readonly css: readonly string[];
  /** As an ImageData holds them: alpha, blue, green, red. */
  readonly packed: Uint32Array;
  readonly font: string;
  /** The page's own magnification, which a canvas does not feel. */
  readonly zoom: number;
}

type Rgb = readonly [number, number, number];

export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.trim().slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const part = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * share);
  return [part(0), part(1), part(2)];
}

/** How strong single stays of a kind are, and columns of many. */
const SHADES = [0.34, 0.44, 0.54, 0.64, 0.5, 0.64, 0.8, 1];
const KIND_COLOURS = [
  ["session", "--mute"], ["background", "--system-io"], ["service", "--other"], ["", "--commit"],
] as const;
const ON_DEEP = new Set(["run queue", "User I/O", "Concurrency"]);
const OWN_INK = new Set(["Application", "Configuration"]);
const colourOf = (name: string): string =>
  name === "Idle" ? "--hair" : `--${name.toLowerCase().replace("i/o", "io").replace(" ", "-")}`;

/** As palettes.css says for the page. */
function inkOn(name: string): string {
  if (name === "Idle") return "--ink";
  return OWN_INK.has(name) ? `--on-${name.toLowerCase()}` : ON_DEEP.has(name) ? "--on-deep" : "--on-pale";
}

export function paletteOf(read: (name: string) => string): Palette {
  const colours: Rgb[] = Array.from({ length: TONES }, () => [0, 0, 0]);
  const of = (name: string) => rgbOf(read(name));
  const [paper, ink] = [of("--paper"), of("--ink")];
  Object.entries({
    paper: "--paper", ink: "--ink", mute: "--mute", hair: "--hair", accent: "--accent", onAccent: "--on-accent",
    veil: "--paper",
  }).forEach(([tone, name]) => {
    colours[TONE[tone as keyof typeof TONE]] = of(name);
  });
  colours[TONE.edge] = mix(paper, ink, 0.5);
  for (const [kind, name] of KIND_COLOURS) {
    const full = of(name);
    // A service is short and rare: all its shades are strong.
    SHADES.forEach((share, i) => {
      colours[kindTone(kind, i)] = mix(paper, full, kind === "service" ? 1 - (i > 3 ? 0 : i * 0.07) : share);
    });
  }
  for (const name of CLASSES) {
    colours[classTone(name)] = of(colourOf(name));
    colours[onClass(name)] = of(inkOn(name));
  }
  const packed = Uint32Array.from(colours, ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0);
  return {
    css: colours.map((rgb) => `rgb(${rgb.join(" ")})`), packed, font: read("--sans"), zoom: Number(read("--zoom")) || 1,
  };
}
