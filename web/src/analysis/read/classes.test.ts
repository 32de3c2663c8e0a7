import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CLASSES, classOf } from "./classes";

const text = readFileSync(new URL("../../engine/generated/catalogue.json", import.meta.url), "utf8");
const { activities } = JSON.parse(text) as { readonly activities: readonly { readonly class: string }[] };
const palettes = readFileSync(new URL("../../styles/palettes.css", import.meta.url), "utf8");

it("knows every class of the simulation by its own name", () => {
  expect(activities.length).toBeGreaterThan(20);
  for (const { class: name } of activities) expect(classOf(name)).toBe(name);
});

it("has a colour for every class", () => {
  for (const name of CLASSES) expect(palettes).toContain(`[data-class="${name}"] { --fill: var(`);
});
