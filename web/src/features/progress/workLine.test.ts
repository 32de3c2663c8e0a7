import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const css = ["phone.css", "layout.css"]
  .map((name) => readFileSync(new URL(`../../styles/${name}`, import.meta.url), "utf8")).join("\n");
const topOf = (selector: string): number =>
  Number(new RegExp(`^\\.page${selector} \\.work \\{ top: (\\d+)px; \\}$`, "m").exec(css)?.[1]);
const plain = (text: string): string => text.replaceAll(/[[\]"=-]/g, "\\$&");

it("stands no lower in a narrow frame than the margin above what is shown, where no bar is above", () => {
  const up = Number(/\.work > div \{[^}]*translate: 0 -(\d+)px/.exec(css)?.[1]);
  const margin = Number(/\.page\[data-layout="phone"\] \.main \{\s*overflow: visible; padding: (\d+)px/.exec(css)?.[1]);
  const line = 16;
  const frame = topOf(plain('[data-embed][data-layout="phone"]'));
  expect([up > 0, frame - up >= 0, frame - up + line <= margin + 8]).toEqual([true, true, true]);
  // On the page itself it stays below the line of A and B, 40 pixels high.
  expect(topOf(plain('[data-layout="phone"]')) - up).toBeGreaterThanOrEqual(40);
});
