import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

const PRESET = "#v1/instance-caging-metal";
const FACE = "**/*.woff2";

const isHere = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].some(({ family, status }) => family.includes("Roboto") && status === "loaded");
  });

/** Where the finding, the panels and their titles stand. */
const places = (page: Page): Promise<readonly string[]> =>
  page.locator("main h1, main h2, main > section").evaluateAll((all) =>
    all.map((one) => {
      const { left, top, height } = one.getBoundingClientRect();
      return [one.tagName, ...[left, top, height].map(Math.round)].join(" ");
    }),
  );

test("the text face comes with the page and with the frame, once", async ({ lab }) => {
  const asked: string[] = [];
  lab.page.on("request", (request) => request.url().endsWith(".woff2") && asked.push(request.url()));
  await lab.open(PRESET);
  expect(await isHere(lab.page)).toBe(true);
  expect(asked).toHaveLength(1);
  await lab.page.goto(Lab.address(PRESET, "embed.html"));
  await lab.settled();
  expect(await isHere(lab.page)).toBe(true);
});

for (const width of [1440, 1024, 390]) {
  test(`what stands in for it moves nothing at ${width} px`, async ({ lab, strays }) => {
    await lab.page.setViewportSize({ width, height: 900 });
    await lab.open(PRESET);
    const wanted = await places(lab.page);
    await lab.page.route(FACE, (route) => route.abort());
    await lab.page.reload();
    await lab.settled();
    expect(await isHere(lab.page)).toBe(false);
    expect(await places(lab.page)).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(5);
    expect(strays.splice(0).filter((stray) => !stray.includes("ERR_FAILED"))).toEqual([]);
  });
}

test("a chart is saved in the page's own face, and breaks no rule of the page", async ({ lab }) => {
  await lab.open(PRESET);
  const saved = lab.page.waitForEvent("download");
  await lab.choose(/^More of: 99\s%/, "Save as SVG");
  const svg = await readFile(await (await saved).path(), "utf8");
  expect(svg).toMatch(/<style>@font-face \{[^}]*Roboto Variable[^}]*url\("data:font\/woff2;base64,/);
  expect(svg).toMatch(/<text [^>]*font-family="[^"]*Roboto Variable/);
  expect(svg).not.toContain(" style=");
  const picture = lab.page.waitForEvent("download");
  await lab.choose(/^More of: 99\s%/, "Save as PNG");
  expect((await readFile(await (await picture).path())).subarray(1, 4).toString()).toBe("PNG");
});
