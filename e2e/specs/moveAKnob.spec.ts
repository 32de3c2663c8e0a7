import { runCopied } from "../fixtures/commandLine";
import { expect, test } from "../fixtures/lab";
import type { Lab } from "../pages/lab";

const cage = "resmgr:cpu quantum";

/** What the page shows for B is what the command line prints for the same scenario, to the last digit shown. */
async function expectTheCommandLinesFigures(lab: Lab): Promise<void> {
  const report = runCopied(await lab.commandLine());
  const wait = report.waits.find(({ event }) => event === cage);
  const shown = await lab.event(cage);
  expect(Math.abs(shown.meanMs - (wait?.clocked_ms.mean ?? Number.NaN))).toBeLessThanOrEqual(
    shown.meanMs >= 10_000 ? 50.001 : 0.0501,
  );
  expect(Math.abs(shown.sessions - (wait?.clocked_aas.mean ?? Number.NaN))).toBeLessThanOrEqual(0.00501);
  // Shown as 3.35 M: half of the last digit.
  expect(Math.abs((await lab.throughput()) - report.throughput.lio_per_s.mean)).toBeLessThanOrEqual(5_001);
}

test("dragging cpu_count by the mouse changes throughput, waits and link", async ({ lab }) => {
  await lab.open();
  const before = { throughput: await lab.throughput(), wait: await lab.event(cage), link: lab.link() };
  await lab.dragTo("cpu_count", 4);
  await expect.poll(() => lab.link()).toContain("cpu_count=4");
  await lab.settled();
  expect(await lab.throughput()).toBeLessThan(before.throughput * 0.9);
  expect((await lab.event(cage)).sessions).toBeGreaterThan(before.wait.sessions);
  expect(lab.link()).not.toBe(before.link);
  await expectTheCommandLinesFigures(lab);
});

test("the keyboard moves cpu_count as well", async ({ lab }) => {
  await lab.open();
  await lab.knob("cpu_count").focus();
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight"]) await lab.page.keyboard.press(key);
  expect(await lab.value("cpu_count")).toBe(6);
  await expect.poll(() => lab.link()).toContain("cpu_count=6");
  await lab.settled();
  await expectTheCommandLinesFigures(lab);
});

test("a number can be typed", async ({ lab }) => {
  await lab.open();
  await lab.field("sessions").fill("9");
  await lab.field("sessions").press("Enter");
  await expect.poll(() => lab.link()).toContain("sessions=9");
  await lab.settled();
  await expectTheCommandLinesFigures(lab);
});

test("a number beyond the slider can be typed, and the curve reaches past it", async ({ lab }) => {
  await lab.open();
  await lab.field("sessions").fill("60");
  await lab.field("sessions").press("Enter");
  await expect.poll(() => lab.link()).toContain("sessions=60");
  expect(await lab.value("sessions")).toBe(60);
  const handle = lab.page.getByRole("slider", { name: "sessions, on the curve" });
  expect(Number(await handle.getAttribute("aria-valuemax"))).toBe(100);
  await lab.settled();
  await expectTheCommandLinesFigures(lab);
});

test("what the model does not take is refused beside the field, and nothing moves", async ({ lab }) => {
  await lab.open();
  const field = lab.field("sessions");
  for (const [typed, why] of [
    ["200000", "sessions is at most 100,000."], ["2.5", "sessions is a whole number."],
    ["many", "“many” is no number."], ["-1", "sessions is at least 0."],
  ] as const) {
    await field.fill(typed);
    await field.press("Enter");
    await expect(lab.page.getByRole("alert")).toHaveText(why);
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveValue(typed);
    expect(lab.link()).not.toContain("sessions");
  }
  await field.press("Escape");
  await expect(lab.page.getByRole("alert")).toHaveCount(0);
  expect(await lab.value("sessions")).toBe(32);
});

test("the handle on the curve is the same knob", async ({ lab }) => {
  await lab.open();
  const handle = lab.page.getByRole("slider", { name: "sessions, on the curve" });
  await handle.focus();
  await handle.press("ArrowLeft");
  const there = Number(await handle.getAttribute("aria-valuenow"));
  expect(await lab.value("sessions")).toBe(there);
  await expect.poll(() => lab.link()).toContain(`sessions=${there}`);
});

test("undo and redo step through what was done", async ({ lab }) => {
  await lab.open();
  const first = await lab.value("cpu_count");
  await lab.knob("cpu_count").press("ArrowLeft");
  await expect.poll(() => lab.value("cpu_count")).toBe(first - 1);
  await lab.page.keyboard.press("Control+z");
  await expect.poll(() => lab.value("cpu_count")).toBe(first);
  await lab.page.getByRole("button", { name: "Redo", exact: true }).click();
  await expect.poll(() => lab.value("cpu_count")).toBe(first - 1);
  await lab.page.getByRole("button", { name: "Reset" }).click();
  await expect.poll(() => lab.value("cpu_count")).toBe(first);
});

test("a scenario that cannot be simulated takes the place of the finding, for as long as it is asked for", async ({
  lab,
}) => {
  await lab.open("#v1/cpu-queue?sessions=8&precision=0.3");
  const before = await lab.headline.innerText();
  const main = lab.page.locator("main");
  const group = lab.page.getByRole("button", { name: "Host", exact: true });
  if ((await group.getAttribute("aria-expanded")) === "false") await group.click();
  const more = lab.page.getByRole("button", { name: /^Host: show \d+ more$/ });
  if (await more.isVisible()) await more.click();
  await lab.field("cores_per_socket").fill("2");
  await lab.field("cores_per_socket").press("Enter");
  await expect(main).toHaveAttribute("data-stage", "refused");
  await expect(lab.headline).toContainText("arrivals_per_s asks for 7.20 CPUs of work");
  await expect(lab.page.getByRole("button", { name: "Dismiss" })).toHaveCount(0);
  await expect(lab.page.locator(".events")).toHaveCSS("opacity", "0.4");
  await expect(lab.headline).toHaveCSS("opacity", "1");
  await lab.page.keyboard.press("Escape");
  await lab.page.getByRole("button", { name: "Undo", exact: true }).click();
  await lab.settled();
  await expect(lab.headline).toHaveText(before);
});
