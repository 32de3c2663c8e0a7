import { readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

interface Names {
  /** Controls and pictures that a screen reader would meet without a name. */
  readonly unnamed: readonly string[];
  /** Names that two controls of one role share. */
  readonly twins: readonly string[];
  readonly headings: number;
  readonly count: number;
}

const CONTROLS =
  /^\s*- (button|link|textbox|slider|radio|checkbox|combobox|menuitem\w*|img|region|group|table|progressbar)\b(.*)$/;

/** The accessibility tree, line by line: a role, then its name in quotes. */
async function namesOn(page: Page): Promise<Names> {
  const lines = (await page.locator("body").ariaSnapshot()).split("\n");
  const found = lines.flatMap((line) => {
    const [, role, rest = ""] = CONTROLS.exec(line) ?? [];
    return role === undefined ? [] : [{ role, name: /^ "(.*?)"/.exec(rest)?.[1] ?? "", line: line.trim() }];
  });
  // A table says what it is by the heading over it; a group may be a mere row.
  const needsName = found.filter(({ role }) => role !== "table" && role !== "group");
  const isKnob = ({ role }: { role: string }) => role === "slider" || role === "textbox";
  const sliders = found.filter(isKnob).map(({ role, name }) => role + name);
  return {
    unnamed: needsName.filter(({ name }) => name === "").map(({ line }) => line),
    twins: sliders.filter((name, i) => sliders.indexOf(name) !== i),
    headings: lines.filter((line) => /- heading "/.test(line)).length, count: found.length,
  };
}

/** The form of one's own host, and two instances. */
const SCENARIOS = ["your-host?precision=0.1", "two-instances?precision=0.1"];

for (const scenario of SCENARIOS)
  for (const zoom of [1, 2])
    test(`every control of ${scenario} has a name, at ${zoom * 100} %`, async ({ lab }) => {
      await lab.page.setViewportSize({ width: 1440 / zoom, height: 900 / zoom });
      await lab.page.goto(Lab.address(`#v1/${scenario}`));
      await lab.settled();
      const names = await namesOn(lab.page);
      expect(names.count).toBeGreaterThan(10);
      expect(names.headings).toBeGreaterThan(2);
      expect(names.unnamed).toEqual([]);
      expect(names.twins).toEqual([]);
    });

for (const theme of ["light", "dark", "projector"])
  test(`axe finds nothing on your-host in the ${theme} theme`, async ({ lab }) => {
    await lab.page.goto(Lab.address(`#v1/your-host?view.theme=${theme}`));
    await expect(lab.headline).not.toBeEmpty({ timeout: 30_000 });
    await expect(lab.page.getByRole("textbox", { name: /cores/ }).first()).toBeVisible();
    expect(await faults(lab.page)).toEqual([]);
  });

test("axe finds nothing on your-host in forced colours, on half of the window", async ({ lab }) => {
  await lab.page.emulateMedia({ forcedColors: "active" });
  await lab.page.setViewportSize({ width: 720, height: 450 });
  await lab.page.goto(Lab.address("#v1/your-host"));
  await expect(lab.headline).not.toBeEmpty({ timeout: 30_000 });
  expect(await faults(lab.page)).toEqual([]);
});

test("in a frame the foot of the knobs explains none before one is touched", async ({ page }) => {
  const frame = "embed.html?panels=answer,curve,knobs&show=sessions,cpu_count";
  await page.goto(Lab.address("#v1/instance-caging-vm", frame));
  const lab = new Lab(page);
  await lab.settled();
  const foot = page.getByRole("note", { name: "About the knob in hand" });
  await expect(foot).toContainText("the knob that was touched last");
  await expect(foot).not.toContainText("resource_manager_plan");
  await lab.knob("sessions").focus();
  await lab.page.keyboard.press("ArrowRight");
  await expect(foot).toContainText("sessions");
});

test("what README says of nine sessions is what the page says", async ({ lab }) => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const said = /Drag the ring on the curve to (\d+)\. The cage now costs (\d+) %/.exec(readme);
  await lab.open(`#v1/instance-caging-vm?sessions=${said?.[1] ?? ""}`);
  const [, shown] = /costs ([\d.]+)\s%/.exec(await lab.headline.innerText()) ?? [];
  expect(Math.round(Number(shown))).toBe(Number(said?.[2]));
});

test("runs behind the published figures say how far they are", async ({ lab }) => {
  await lab.open("#v1/caging-nine-on-six");
  await lab.page.getByRole("button", { name: "Published", exact: true }).click();
  const dialog = lab.page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Instance caging on a VM/ }).click();
  const runs = lab.page.getByRole("group", { name: "Runs behind the figures" });
  await expect(runs).toContainText(/Running what stands behind the figures: \d+ of \d+ runs?/);
  await expect(runs.getByRole("progressbar")).toHaveAttribute("max", /^\d+$/);
});
