import { expect, test } from "../fixtures/lab";
import { runCopied } from "../fixtures/commandLine";

/** Small runs, a map of which is there at once. */
const quick = "#v1/cpu-queue?arrivals=closed&sessions=16&precision=0.1&a=&view.y=throughput_lio";

test("a second knob makes a map of both, which stands in the link and goes with the menu", async ({ lab }) => {
  await lab.open(quick);
  await expect(lab.page.locator(".map")).toHaveCount(0);
  await lab.page.getByRole("button", { name: "Second knob, for a map: no other" }).click();
  await lab.page.getByRole("menuitemradio", { name: "think_time_ms", exact: true }).click();
  await expect.poll(() => lab.link()).toContain("view.by=think_time_ms");
  const heading = lab.page.locator(".map").getByRole("heading");
  await expect(heading).toHaveText(/^Throughput by sessions and think_time_ms: [\d.]+ to [\d.]+ M LIO\/s$/, {
    timeout: 60_000,
  });
  await lab.page.getByRole("button", { name: "Second knob, for a map: think_time_ms" }).click();
  await lab.page.getByRole("menuitemradio", { name: "one knob alone", exact: true }).click();
  await expect(lab.page.locator(".map")).toHaveCount(0);
});

test("the map is read by keys, and Enter puts both knobs where it stands, as the command line has them", async ({
  lab,
}) => {
  await lab.open(`${quick}&view.by=think_time_ms`);
  const reader = lab.page.getByRole("slider", { name: /^Read: Throughput by sessions and think_time_ms/ });
  await expect(lab.page.locator(".map").getByRole("heading")).not.toContainText("not known", { timeout: 60_000 });
  await reader.press("Home");
  await reader.press("ArrowRight");
  await reader.press("ArrowUp");
  const said = (await reader.getAttribute("aria-valuetext")) ?? "";
  const [, sessions, think, value] = /^sessions ([\d,]+), think_time_ms ([\d.,]+): Throughput ([\d.]+) /
    .exec(said) ?? [];
  expect(said).toMatch(/±|\(/);
  await reader.press("Enter");
  await expect.poll(() => lab.link()).toContain(`sessions=${sessions}&think_time_ms=${think}`);
  await lab.settled();
  const { metrics } = runCopied(await lab.commandLine());
  const printed = (metrics.find(({ id }) => id === "throughput_lio")?.mean ?? 0) / 1e6;
  expect(Math.abs(printed / Number(value) - 1)).toBeLessThan(0.15);
});

test("a link may show the map alone", async ({ lab }) => {
  await lab.open(`${quick}&view.panels=map&view.by=think_time_ms`);
  await expect(lab.page.locator(".map")).toBeVisible();
  await expect(lab.page.locator(".curve, .events")).toHaveCount(0);
});
