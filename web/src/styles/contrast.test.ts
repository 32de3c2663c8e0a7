import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Colours = Readonly<Record<string, string>>;

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** The custom properties of the rules whose selector passes. */
function rules(css: string, passes: (selector: string) => boolean): Colours {
  const found: Record<string, string> = {};
  for (const [, selector = "", body = ""] of css.replace(/\/\*[^]*?\*\//g, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!passes(selector.trim())) continue;
    for (const [, name = "", value = ""] of body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)) found[name] = value;
  }
  return found;
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
    const v = Number.parseInt(hex.slice(i, i + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2.2 contrast ratio. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const tokens = read("./tokens.css");
const palettes = read("./palettes.css");

function coloursOf(theme: string, palette: string): Colours {
  const base = rules(tokens, (s) => s.includes('data-theme="light"'));
  const themed = rules(tokens, (s) => s.includes(`data-theme="${theme}"`));
  const oem =
    palette === "default"
      ? {}
      : rules(
          palettes,
          (s) => s.includes('data-palette="oem"') && (!s.includes("data-theme") || s.includes(`data-theme="${theme}"`)),
        );
  return { ...base, ...themed, ...oem };
}

/** What is written on which fill: the table that palettes.css turns into --on-fill. */
const labels = [
  ...palettes.matchAll(/\[data-class="([^"]+)"\] \{ --fill: var\(--([\w-]+)\); --on-fill: var\(--([\w-]+)\)/g),
].map(([, name = "", fill = "", on = ""]) => ({ name, fill, on }));

const looks = ["light", "dark", "projector"].flatMap((theme) =>
  ["default", "oem"].map((palette) => ({ theme, palette })),
);

describe.each(looks)("$theme, $palette", ({ theme, palette }) => {
  const colours = coloursOf(theme, palette);
  const ratio = (one: string, other: string) => contrast(colours[one] ?? "", colours[other] ?? "");

  it.each(["ink", "mute", "accent", "alarm"])("%s can be read on paper and on the wash", (name) => {
    expect(ratio(name, "paper")).toBeGreaterThanOrEqual(4.5);
    expect(ratio(name, "wash")).toBeGreaterThanOrEqual(4.5);
  });
  it("the number in the pill can be read", () => expect(ratio("on-accent", "accent")).toBeGreaterThanOrEqual(4.5));
  it.each(labels)("a label can be read on $name", ({ fill, on }) =>
    expect(ratio(fill, on)).toBeGreaterThanOrEqual(4.5),
  );
  it("run queue is told from CPU by lightness", () => expect(ratio("cpu", "run-queue")).toBeGreaterThanOrEqual(1.7));
});

it("reads every class", () => expect(labels.map((label) => label.name)).toHaveLength(14));

it("agrees with the table of contrasts", () => {
  const light = coloursOf("light", "default");
  expect(
    [light.ink, light.mute, light.accent, light.alarm].map((c) => contrast(c ?? "", "#ffffff").toFixed(1)),
  ).toEqual(["17.8", "6.0", "5.7", "6.5"]);
});
