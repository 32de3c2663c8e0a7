import { runCopied } from "../fixtures/commandLine";
import { expect, test } from "../fixtures/lab";
import type { Lab } from "../pages/lab";

async function chooseAxis(lab: Lab, which: "Vertical" | "Horizontal", item: string): Promise<void> {
  await lab.page.getByRole("button", { name: new RegExp(`^${which} axis: `) }).click();
  await lab.page.getByRole("menuitemradio", { name: item, exact: true }).click();
}

/** What the handle says for B: the number before the unit. */
async function shown(lab: Lab): Promise<number> {
  const text = await lab.page.getByRole("slider", { name: /, on the curve$/ }).getAttribute("aria-valuetext");
  const match = /B ([−\d.,]+)/.exec(text ?? "");
  if (match === null) throw new Error(`the handle says nothing: ${text}`);
  return Number(match[1]?.replaceAll(",", "").replace("−", "-"));
}

/** To half of the last of three digits. */
function expectSame(page: number, printed: number | undefined): void {
  expect(Math.abs(page - (printed ?? Number.NaN))).toBeLessThanOrEqual(Math.max(0.5, 0.005 * Math.abs(page)));
}

test("any metric by any knob: the handle says what the command line prints", async ({ lab }) => {
  await lab.open();
  await chooseAxis(lab, "Vertical", "Context switches");
  await chooseAxis(lab, "Horizontal", "switch_refill_us");
  await expect.poll(() => lab.link()).toContain("y=switches_per_s&view.x=switch_refill_us");
  await lab.settled();
  await expect(lab.page.getByRole("slider", { name: "switch_refill_us, on the curve" })).toHaveAttribute(
    "aria-valuenow", "800",
  );
  const { metrics } = runCopied(await lab.commandLine());
  expectSame(await shown(lab), metrics.find(({ id }) => id === "switches_per_s")?.mean);
});

test("the same link shows the same axes, and a knob of words is walked by the arrow keys", async ({ lab }) => {
  await lab.open("#v1/starved-service?x=class@service");
  const handle = lab.page.getByRole("slider", { name: "class@service, on the curve" });
  await expect(handle).toHaveAttribute("aria-valuetext", /^class@service TS, B /);
  await handle.press("End");
  await handle.press("Home");
  await expect(handle).toHaveAttribute("aria-valuetext", /^class@service TS, B /);
  await lab.page.reload();
  await lab.settled();
  await expect(handle).toHaveAttribute("aria-valuetext", /^class@service TS, B /);
});

test("the handle on a part of the scenario moves that part alone, by key and by mouse", async ({ lab }) => {
  await lab.open("#v1/two-instances?x=sessions@instance2");
  const handle = lab.page.getByRole("slider", { name: "sessions@instance2, on the curve" });
  await expect(handle).toHaveAttribute("aria-valuenow", "12");
  await handle.press("ArrowRight");
  await expect.poll(() => lab.link()).toBe("#v1/two-instances?sessions@instance2=13&view.x=sessions@instance2");
  const box = await handle.boundingBox();
  if (box === null) throw new Error("the handle is not on the screen");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await lab.page.mouse.move(x, y);
  await lab.page.mouse.down();
  await lab.page.mouse.move(x + 120, y, { steps: 8 });
  await lab.page.mouse.up();
  const there = Number(await handle.getAttribute("aria-valuenow"));
  expect(there).toBeGreaterThan(13);
  await expect.poll(() => lab.link()).toBe(`#v1/two-instances?sessions@instance2=${there}&view.x=sessions@instance2`);
  expect(await lab.value("sessions@instance2")).toBe(there);
});

test("a starved server: the page and the command line say that its queue grows", async ({ lab }) => {
  await lab.open("#v1/starved-service");
  await expect(lab.headline).toContainText("queue grows without bound");
  const { services } = runCopied(await lab.commandLine());
  expect(services[0]?.grows).toBe(true);
});

test("a server that keeps up: page and command line agree on its percentile", async ({ lab }) => {
  await lab.open("#v1/starved-service?service_per_s=100");
  const { services, metrics } = runCopied(await lab.commandLine());
  expect(services[0]?.grows).toBe(false);
  const p99 = metrics.find(({ id }) => id === "service_p99_ms")?.mean ?? Number.NaN;
  expect(p99).toBe(services[0]?.response_ms.p99);
  const text = await lab.page
    .getByRole("slider", { name: "service_per_s, on the curve" })
    .getAttribute("aria-valuetext");
  const milliseconds = /\ss\b/.test(text ?? "") ? 1_000 : 1;
  expect(Math.abs((await shown(lab)) * milliseconds - p99)).toBeLessThanOrEqual(0.005 * p99);
});

test("threads of a core are set by the name of the machine, both knobs in one step", async ({ lab }) => {
  await lab.open();
  await lab.choose(/^Threads of a core/, "POWER7");
  await expect.poll(() => lab.link()).toContain("threads_per_core=4&smt_yield=1/1.4/1.52/1.6");
  await lab.settled();
  await expect(lab.page.getByRole("button", { name: "Threads of a core: POWER7, SMT4" })).toBeVisible();
  await lab.page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => lab.link()).not.toContain("threads_per_core");
});

test("a list of CPUs that are not there is refused beside the field, in the decoder's words", async ({ lab }) => {
  await lab.open("#v1/starved-service");
  await lab.page.getByRole("combobox", { name: "Knobs of which process kind" }).selectOption("service");
  const field = lab.page.getByRole("textbox", { name: "cpus_allowed@service" });
  await field.fill("0-99");
  await field.press("Enter");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(lab.page.getByRole("alert")).toContainText("cpus_allowed");
  expect(lab.link()).toBe("#v1/starved-service");
  await field.fill("1,0");
  await field.press("Enter");
  await expect.poll(() => lab.link()).toContain("cpus_allowed@service=0-1");
  await expect(lab.page.getByRole("alert")).toHaveCount(0);
});
