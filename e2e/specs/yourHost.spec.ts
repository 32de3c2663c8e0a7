import { fitted } from "../fixtures/commandLine";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

const LSCPU = `Architecture:            x86_64
CPU(s):                  64
On-line CPU(s) list:     0-63
Model name:              AMD EPYC 7302 16-Core Processor
Thread(s) per core:      2
Core(s) per socket:      16
Socket(s):               2
L3:                      256 MiB (16 instances)
`;
const OFFLINE = LSCPU.replace("0-63", "0-58").replace("Model", "Off-line CPU(s) list:    59-63\nModel");
const CSV = "sessions;M LIO/s;response ms\n16;7,1;135\n64;16,2;236,5\n300;10,1;1790\n";

const form = (lab: Lab) => lab.page.getByRole("region", { name: "Your host" });
const number = (lab: Lab, key: string) => form(lab).getByRole("textbox", { name: `${key} of your host` });

/** A host this large is not waited for: form and dots stand long before the last point of the curve does. */
async function open(lab: Lab, hash: string): Promise<void> {
  await lab.page.goto(Lab.address(hash));
  await expect(form(lab)).toBeVisible();
}

async function type(lab: Lab, key: string, text: string): Promise<void> {
  await number(lab, key).fill(text);
  await number(lab, key).press("Enter");
}

async function paste(lab: Lab, what: string | RegExp, text: string): Promise<void> {
  const button = form(lab).getByRole("button", { name: what });
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
  await form(lab).getByRole("textbox", { name: /Output of lscpu|A CSV/ }).fill(text);
}

/** What the form and the chart say of the host, its load and its points. */
async function expectAll(lab: Lab): Promise<void> {
  for (const [key, value] of Object.entries({
    sockets: "2", cores_per_socket: "16", threads_per_core: "2", sessions: "300", think_time_ms: "20", cpu_count: "24",
  }))
    await expect(number(lab, key)).toHaveValue(value);
  await expect(form(lab)).toContainText("= 64 under");
  await expect(form(lab).getByRole("button", { name: "Your 3 points" })).toBeVisible();
  await expect(lab.page.locator(".plot circle.own")).toHaveCount(3);
  const handle = lab.page.getByRole("slider", { name: "sessions, on the curve" });
  expect(Number(await handle.getAttribute("aria-valuemax"))).toBeGreaterThan(300);
}

async function tellOfTheHost(lab: Lab): Promise<void> {
  await open(lab, "#v1/your-host?cores_per_socket=4");
  await paste(lab, "Paste lscpu", LSCPU);
  await expect(form(lab).getByRole("status")).toContainText(
    "8 of 8 lines read: 2 × 16 × 2 = 64 threads, 2 cores a last-level cache.",
  );
  await expect(number(lab, "cores_per_socket")).toHaveValue("16");
  await type(lab, "sessions", "300");
  await type(lab, "cpu_count", "24");
  await expect.poll(() => lab.link()).toContain("cpu_count=24");
  expect(lab.link()).toMatch(/cores_per_llc=2(&|$)/);
  await paste(lab, "Add your points", CSV);
  await expect(form(lab).getByRole("status").filter({ hasText: "by sessions" })).toContainText(
    "3 points, throughput_lio and response_mean_ms by sessions: as dots on the curve. The link keeps them.",
  );
  // The bar follows within a third of a second: who reloads before that reloads the link of before.
  await expect.poll(() => lab.link()).toContain("view.points=sessions/throughput_lio/response_mean_ms,16/7100000/135");
}

test("a DBA tells of the host, its load and what was measured there, and the link keeps it", async ({ lab }) => {
  await tellOfTheHost(lab);
  await expectAll(lab);
  await expect(lab.field("sessions")).toHaveValue("300");
  await lab.page.reload();
  await expectAll(lab);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  test("the same, with room for a finger", async ({ lab }) => {
    await tellOfTheHost(lab);
    await lab.page.reload();
    await expectAll(lab);
    expect(await lab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    const sizes = await form(lab).locator("input, button").evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height)),
    );
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
  });
});

test("what lscpu leaves open is named, and nothing is filled in", async ({ lab }) => {
  await open(lab, "#v1/your-host?cores_per_socket=4");
  await paste(lab, "Paste lscpu", OFFLINE);
  await expect(form(lab).getByRole("status")).toContainText("5 of 64 CPUs are offline (59-63).");
  await expect(form(lab)).toContainText("cores_per_socket: 2 × 16 × 2 = 64, but 59 CPUs run");
  await expect(number(lab, "cores_per_socket")).toHaveValue("4");
  await expect(number(lab, "cores_per_socket")).toHaveAttribute("aria-describedby", /./);
  const large = LSCPU.replace("per socket:      16", "per socket:      96").replace(" 64\n", " 1536\n")
    .replace("Socket(s):               2", "Socket(s):               8");
  await paste(lab, "Paste lscpu", large.replace("0-63", "0-1535"));
  await expect(form(lab)).toContainText("makes 1536 hardware threads");
  await expect(number(lab, "cores_per_socket")).toHaveValue("4");
  expect(lab.link()).toBe("#v1/your-host?cores_per_socket=4");
});

test("what the model does not take stays as typed; undo leads back from lscpu in one step", async ({ lab }) => {
  const start = "#v1/your-host?sockets=8&cores_per_socket=4&threads_per_core=1";
  await open(lab, start);
  await type(lab, "cores_per_socket", "300");
  await expect(lab.page.getByRole("alert")).toHaveText("cores_per_socket is at most 256.");
  await type(lab, "cores_per_socket", "200");
  await expect(lab.page.getByRole("alert")).toContainText("cores_per_socket makes 1600 hardware threads");
  await expect(number(lab, "cores_per_socket")).toHaveValue("200");
  await number(lab, "cores_per_socket").press("Escape");
  await expect(lab.page.getByRole("alert")).toHaveCount(0);
  await paste(lab, "Paste lscpu", LSCPU);
  await expect(number(lab, "threads_per_core")).toHaveValue("2");
  await lab.page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(() => lab.link()).toBe(start);
  await lab.choose("os_scheduler of your host: CFS", "EEVDF");
  await expect.poll(() => lab.link()).toContain("os_scheduler=EEVDF");
});

test("points stand on curves that have their axes, and on no others", async ({ lab }) => {
  await open(lab, "#v1/your-host?view.points=sessions/throughput_lio/response_mean_ms,16/7100000/135,64/16200000/236");
  await expect(lab.page.locator(".plot circle.own")).toHaveCount(2);
  await lab.choose(/^Vertical axis/, "Response time, mean");
  await expect(lab.page.locator(".plot circle.own")).toHaveCount(2);
  await lab.choose(/^Vertical axis/, "Response time, 99th percentile");
  await expect(lab.page.locator(".plot circle.own")).toHaveCount(0);
});

test("a broken table is refused by its line, and the points from before stay", async ({ lab }) => {
  await open(lab, "#v1/your-host?view.points=sessions/throughput_lio,16/7100000");
  await paste(lab, "Your point", `${CSV}400;n/a;1\n`);
  await expect(lab.page.getByRole("alert")).toHaveText(
    "Line 5: “n/a” is no number that can be measured. The points from before stay.",
  );
  await expect(lab.page.locator(".plot circle.own")).toHaveCount(1);
  await form(lab).getByRole("button", { name: "Remove your points" }).click();
  await expect(lab.page.locator(".plot circle.own")).toHaveCount(0);
  await expect.poll(() => lab.link()).toBe("#v1/your-host");
});

test("a knob is found from the points, taken, and what the points do not tell is said", async ({ lab }) => {
  // Made by the model with lio_us 2.3 and 1 % of noise.
  const points = "sessions/throughput_lio,4/1750000,8/2262000,12/2180000,16/2150000,24/2185000";
  const host = "your-host?sockets=1&cores_per_socket=4&think_time_ms=0&sessions=16";
  await open(lab, `#v1/${host}&view.points=${points}`);
  await form(lab).getByRole("button", { name: "Your 5 points" }).click();
  await expect(form(lab)).toContainText("Find lio_us from these points");
  await form(lab).getByRole("button", { name: "Find it" }).click();
  const status = form(lab).getByRole("status").filter({ hasText: "lio_us" });
  // As the command line finds it.
  const { value: best, low, high } = fitted(host, points);
  const range = `${low} µs to ${high} µs fit hardly worse (99 %)`;
  const words = `lio_us ${best} µs fits best; ${range}. The 5 measured figures`;
  await expect(status).toContainText(words, { timeout: 30_000 });
  const take = form(lab).getByRole("button", { name: /^Take lio_us/ });
  const value = Number(((await take.textContent()) ?? "").replace(/[^\d.]/g, ""));
  await take.click();
  await expect.poll(() => lab.link()).toContain(`lio_us=${value}`);
  await expect(status).toContainText("fits best");
  await type(lab, "cores_per_socket", "8");
  await expect(status).toHaveCount(0);
});

test("a search that was halted by a change of the scenario tries no more when that is undone", async ({ lab }) => {
  const points = "sessions/throughput_lio,4/1750000,8/2262000,12/2180000,16/2150000,24/2185000";
  await open(lab, `#v1/your-host?sockets=1&cores_per_socket=4&think_time_ms=0&sessions=16&view.points=${points}`);
  await form(lab).getByRole("button", { name: "Your 5 points" }).click();
  await form(lab).getByRole("button", { name: "Find it" }).click();
  // A fast machine may have found it by now: then nothing is halted, and what was found is shown again.
  const stop = form(lab).getByRole("button", { name: "Stop", exact: true });
  await type(lab, "cores_per_socket", "2");
  await expect(stop).toBeHidden();
  await type(lab, "cores_per_socket", "4");
  await expect(form(lab).getByRole("button", { name: "Find it" })).toBeVisible();
  await expect(stop).toBeHidden();
});
