/** The page's colours by the numbers of a scene, read once a theme. */
import { CLASSES } from "../../analysis/read/classes";
import { classTone, KIND_COLOURS, kindTone, onClass, onKind, TONE, TONES } from "./scene";

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
const SHADES = [0.34, 0.42, 0.5, 0.58, 0.5, 0.64, 0.8, 1];
/** Many, and long on their threads; others are short and rare: all their shades are strong. */
const MANY = new Set(["session", "slave", "background", "background2", "background3", "client"]);
const UNKNOWN: readonly [string, string] = ["", "--other"];

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2.2 contrast ratio. */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
const ON_DEEP = new Set(["run queue", "User I/O", "Concurrency"]);
const OWN_INK = new Set(["Application", "Configuration"]);
const colourOf = (name: string): string =>
  name === "Idle" ? "--hair" : `--${name.toLowerCase().replace("i/o", "io").replace(" ", "-")}`;

/** As palettes.css says for the page. */
function inkOn(name: string): string {
  if (name === "Idle") return "--ink";
  return OWN_INK.has(name) ? `--on-${name.toLowerCase()}` : ON_DEEP.has(name) ? "--on-deep" : "--on-pale";
}

function clearest(on: Rgb, inks: readonly [Rgb, ...Rgb[]]): Rgb {
  return inks.reduce((best, one) => (contrastOf(one, on) > contrastOf(best, on) ? one : best));
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
  for (const [kind, name] of [...KIND_COLOURS, UNKNOWN]) {
    const full = of(name);
    SHADES.forEach((share, i) => {
      const fill = mix(paper, full, MANY.has(kind) ? share : 1 - (i > 3 ? 0 : i * 0.03));
      colours[kindTone(kind, i)] = fill;
      if (i < 4) colours[onKind(kind, i)] = clearest(fill, [ink, paper, of("--on-pale"), of("--on-deep")]);
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
