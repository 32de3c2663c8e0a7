import { readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

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
  await page.goto(Lab.address("#v1/instance-caging-vm", "embed.html?panels=answer,curve,knobs&show=sessions,cpu_count"));
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
