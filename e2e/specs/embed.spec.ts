import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

interface Figure {
  readonly mean: number;
  readonly ci95: number | null;
}

interface Told {
  readonly type: string;
  readonly id?: string | null;
  readonly message?: string;
  readonly isUserInitiated?: boolean;
  readonly isSuperseded?: boolean;
  readonly figures?: Record<
    string, { readonly unit: string; readonly b: Figure | null; readonly difference: Figure | null }
  >;
  readonly state?: {
    readonly link: string;
    readonly finding: string;
    readonly stage: string;
    readonly notice: string | null;
  };
}

/** A course page on another origin, with the lab in a frame; it writes down what the frame says. */
const coursePage = (frame: string, more = ""): string => `<!doctype html><html lang="en"><title>Lesson 3</title>
<script>
  window.told = [];
  const signed = (message) => ({ ns: "wait-what-if", version: 1, ...message });
  window.ask = (message) => document.getElementById("lab").contentWindow.postMessage(signed(message), "*");
  const hear = (event) => event.data && event.data.ns === "wait-what-if" && told.push(event.data);
  addEventListener("message", (event) => {
    hear(event);
    if (event.ports.length === 0) return;
    const port = event.ports[0];
    port.onmessage = hear;
    window.ask = (message) => port.postMessage(signed(message));
  });
</script>
<iframe id="lab" title="Lab" width="900" height="700" ${more} src="${frame}"></iframe></html>`;

const panels = "panels=answer,curve,knobs&show=cpu_count,sessions";

/** Asks until the frame's first word, from the moment that there is a frame. */
const impatient = `<script>
  let asked = 0;
  const ask = () => window.ask({ type: "getState", id: "early " + asked++ });
  const timer = setInterval(() => told.length > 0 || asked === 500 ? clearInterval(timer) : ask(), 5);
</script>`;

const pages: Record<string, () => string> = {
  "/": () => coursePage(Lab.address("", `embed.html?${panels}`)),
  "/silent": () => coursePage(Lab.address("", `embed.html?${panels}`), 'referrerpolicy="no-referrer"'),
  "/any": () => coursePage(Lab.address("", `embed.html?${panels}&origin=*`)),
  "/misspelt": () => coursePage(Lab.address("", "embed.html?panels=answer,curv&show=sesions&lock=axis")),
  "/none": () => coursePage(Lab.address("#v1/instance-caging-vm?sessions=9", "embed.html?panels=tkprof")),
  "/impatient": () => coursePage(Lab.address("", `embed.html?${panels}`)) + impatient,
};

/** What a trainer pastes into a page of their own. */
let lesson = "";
let course: Server;
let address = "";

test.beforeAll(async () => {
  course = createServer((request, response) => {
    const url = request.url ?? "";
    response.writeHead(200, { "content-type": "text/html" }).end(url === "/lesson" ? lesson : (pages[url]?.() ?? ""));
  });
  await new Promise<void>((resolve) => course.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(course.address() as AddressInfo).port}/`;
});

test.afterAll(() => {
  course.close();
});

const told = (page: Page): Promise<Told[]> => page.evaluate(() => (window as unknown as { told: Told[] }).told);
const ask = (page: Page, message: object): Promise<void> =>
  page.evaluate((one) => (window as unknown as { ask: (message: object) => void }).ask(one), message);

async function answer(page: Page, wanted: (one: Told) => boolean): Promise<Told> {
  await expect.poll(async () => (await told(page)).some(wanted)).toBe(true);
  const found = (await told(page)).findLast(wanted);
  if (found === undefined) throw new Error("no answer");
  return found;
}

test("a course page reads and sets the state of the lab in its frame, and hears of changes", async ({ page }) => {
  await page.goto(address);
  await answer(page, ({ type }) => type === "ready");
  await ask(page, { type: "getState", id: "one" });
  expect((await answer(page, ({ id }) => id === "one")).state?.link).toMatch(/^#v1\//);

  await ask(page, { type: "setState", id: "two", link: "#v1/instance-caging-vm?cpu_count=5" });
  expect((await answer(page, ({ id, type }) => id === "two" && type === "state")).state?.link).toContain("cpu_count=5");
  const frame = page.frameLocator("#lab");
  await expect(frame.getByRole("textbox", { name: "cpu_count, type a number" })).toHaveValue("5");

  await frame.getByRole("slider", { name: "cpu_count", exact: true }).press("ArrowLeft");
  const change = await answer(
    page, ({ type, state }) => type === "change" && (state?.link.includes("cpu_count=4") ?? false),
  );
  expect(change.isUserInitiated).toBe(true);
});

test("after each change the frame says what came of it, in words and in numbers", async ({ page }) => {
  await page.goto(address);
  await answer(page, ({ type }) => type === "settled");
  await page.frameLocator("#lab").getByRole("slider", { name: "sessions", exact: true }).press("ArrowLeft");
  const change = await answer(page, ({ type }) => type === "change");
  expect(change.state).toMatchObject({ link: expect.stringMatching(/\?sessions=\d+$/), finding: "" });
  const sessions = change.state?.link.split("=")[1] ?? "";
  const settled = await answer(page, ({ type, state }) => type === "settled" && state?.link === change.state?.link);
  expect(settled.state?.stage).toBe("settled");
  expect(settled.state?.finding).toContain(`at ${sessions}\u00a0sessions`);
  const { unit, b, difference } = settled.figures?.["throughput_lio"] ?? {};
  expect(unit).toBe("LIO/s");
  expect(b?.ci95 ?? 0).toBeGreaterThan(0);
  const shown = await page.frameLocator("#lab").getByRole("heading", { level: 1 }).innerText();
  const [, percent = ""] = /([\d.]+)\s*% to throughput/.exec(shown) ?? [];
  expect(difference?.mean.toFixed(1)).toBe(Number(percent).toFixed(1));
});

test("what is misspelt in the address of a frame is named, in it and to its host", async ({ page }) => {
  await page.goto(`${address}misspelt`);
  await answer(page, ({ type }) => type === "ready");
  const errors = async () => (await told(page)).filter(({ type }) => type === "error").map(({ message }) => message);
  const words = [
    "panels: “curv” is no panel; is curve meant?", "show: “sesions” is no knob; is sessions meant?",
    "lock: “axis” is no knob; is axes meant?",
  ].map((text) => `This frame’s address: ${text}`);
  expect(await errors()).toEqual(words);
  await expect(page.frameLocator("#lab").getByRole("alert")).toContainText(words.join(" "));
});

test("a frame of panels that the scenario has not says so, in it and to its host", async ({ page }) => {
  await page.goto(`${address}none`);
  const settled = await answer(page, ({ type }) => type === "settled");
  expect(settled.state?.notice).toBe("tkprof: this scenario has none.");
  await expect(page.frameLocator("#lab").getByRole("alert")).toContainText("tkprof: this scenario has none.");
});

test("a trainer builds a frame of two knobs, one locked, pastes it, and reads answers and refusals", async ({
  page,
}) => {
  await new Lab(page).open("#v1/instance-caging-vm?sessions=12&view.theme=dark");
  await page.getByRole("button", { name: "Embed", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Embed in a course page" });
  await expect(dialog).toBeVisible();
  const leave = dialog.getByRole("button", { name: /^Leave out (?!sessions$|cpu_count$)/ });
  while ((await leave.count()) > 0) await leave.first().click();
  await dialog.getByRole("checkbox", { name: "cpu_count, locked" }).check();
  await dialog.getByRole("textbox", { name: "sessions, to" }).fill("20");
  await dialog.getByRole("textbox", { name: "Height" }).fill("700");
  const preview = dialog.frameLocator("iframe");
  await expect(preview.getByRole("slider", { name: "sessions", exact: true })).toBeAttached();
  await expect(dialog.getByText(/^It said: ready.*settled/)).toBeVisible({ timeout: 30_000 });
  await expect(dialog.getByRole("textbox", { name: "What the preview said last" })).toContainText("throughput_lio");
  const text = (name: string) => dialog.getByRole("textbox", { name }).innerText();
  const [frame, script] = [await text("Embed snippet"), await text("Script that hears the answers")];
  expect(frame).not.toContain("dark");

  lesson = `<!doctype html><html lang="en"><title>Lesson 4</title>${frame}${script}</html>`;
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await page.goto(`${address}lesson`);
  const lesson4 = page.frameLocator("iframe");
  const sliderOf = (name: string) => lesson4.getByRole("slider", { name, exact: true });
  await expect(lesson4.getByRole("textbox", { name: /, type a number$/ })).toHaveCount(2);
  await expect(sliderOf("cpu_count")).toBeDisabled();
  await expect.poll(() => said.some((one) => /at 12\ssessions/.test(one))).toBe(true);
  await sliderOf("sessions").press("End");
  await expect(lesson4.getByRole("textbox", { name: "sessions, type a number" })).toHaveValue("20");
  await expect.poll(() => said.at(-1)).toMatch(/at 20\ssessions.* \d+\.?\d* -?[\d.]+ [\d.]+$/);
  await lesson4.getByRole("button", { name: /^Horizontal axis/ }).click();
  await expect(lesson4.getByRole("menuitemradio", { name: "think_time_ms", exact: true })).toBeVisible();
  await expect(lesson4.getByRole("menuitemradio", { name: "cpu_count", exact: true })).toHaveCount(0);

  const link = "#v1/instance-caging-vm?sessions=21";
  await page.evaluate((one) => {
    const { contentWindow } = document.querySelector("iframe") as HTMLIFrameElement;
    contentWindow?.postMessage({ ns: "wait-what-if", version: 1, type: "setState", id: "far", link: one }, "*");
  }, link);
  await expect.poll(() => said.at(-1)).toMatch(/^error .*sessions/);
});

test("a frame shows only what the course page asked for", async ({ page }) => {
  await page.goto(address);
  const frame = page.frameLocator("#lab");
  await expect(frame.getByRole("heading", { level: 1 })).not.toBeEmpty();
  await expect(frame.getByRole("button", { name: "Share", exact: true })).toHaveCount(0);
  await expect(frame.locator("section.events")).toHaveCount(0);
  await expect(frame.getByRole("slider", { name: "sessions", exact: true })).toBeAttached();
  await expect(frame.getByRole("slider", { name: "think_time_ms", exact: true })).toHaveCount(0);
});

test("a wrong message is answered in words and changes nothing", async ({ page }) => {
  await page.goto(address);
  await answer(page, ({ type }) => type === "ready");
  await ask(page, {
    type: "setState", id: "bad", link: "#v1/instance-caging-vm?cpu_count=<img src=x onerror=alert(1)>",
  });
  expect((await answer(page, ({ id }) => id === "bad")).message).toContain("cpu_count");
  await ask(page, { type: "launchMissiles", id: "worse" });
  expect((await answer(page, ({ id }) => id === "worse")).type).toBe("error");
  await ask(page, { type: "getState", id: "after" });
  expect((await answer(page, ({ id }) => id === "after")).state?.link).toMatch(/^#v1\/instance-caging-vm(\?|$)/);
});

test("what the simulation alone refuses reaches the host as an error, each time", async ({ page }) => {
  await page.goto(address);
  await answer(page, ({ type }) => type === "ready");
  const refused = "#v1/instance-caging-vm?arrivals=open&arrivals_per_s=1000000";
  await ask(page, { type: "setState", id: "first", link: refused });
  expect((await answer(page, ({ id, type }) => id === "first" && type === "error")).message).toContain(
    "arrivals_per_s",
  );
  await expect(page.frameLocator("#lab").locator('main[data-stage]:not([data-busy])')).toBeVisible();
  await ask(page, { type: "setState", id: "second", link: refused });
  expect((await answer(page, ({ id, type }) => id === "second" && type === "error")).message).toContain(
    "arrivals_per_s",
  );
  const good = "#v1/instance-caging-vm?cpu_count=5&colour=red";
  await ask(page, { type: "setState", id: "third", link: good });
  const state = (await answer(page, ({ id, type }) => id === "third" && type === "state")).state;
  expect(state?.notice).toContain("colour");
  await expect(page.frameLocator("#lab").locator('main[data-stage="settled"]')).toBeVisible({ timeout: 40_000 });
  expect((await told(page)).filter(({ type }) => type === "error").map(({ id }) => id)).toEqual(["first", "second"]);
});

for (const where of ["silent", "any"]) {
  test(`a host that ${where === "any" ? "lets any page ask" : "does not say who it is"} gets a port, and nothing else `
    + `without it`, async ({
    page,
  }) => {
    await page.goto(`${address}${where}`);
    await answer(page, ({ type }) => type === "ready");
    const [first, second] = await told(page);
    expect([first?.type, first?.state, second?.type]).toEqual(["port", undefined, "ready"]);
    await ask(page, { type: "setState", id: "by port", link: "#v1/instance-caging-vm?cpu_count=3" });
    expect((await answer(page, ({ id }) => id === "by port")).state?.link).toContain("cpu_count=3");
    await expect(page.frameLocator("#lab").getByRole("textbox", { name: "cpu_count, type a number" })).toHaveValue("3");
  });
}

test("what a host asks before the frame is ready is answered after it", async ({ page }) => {
  await page.route(/embed-.*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await page.goto(`${address}impatient`);
  await answer(page, ({ id }) => id?.startsWith("early") ?? false);
  const all = await told(page);
  expect(all[0]?.type).toBe("ready");
  const early = all.filter(({ id }) => id?.startsWith("early"));
  expect(early.length).toBeGreaterThan(3);
});

test("a flood of links is answered to the last one, and only the last one stays", async ({ page }) => {
  await page.goto(address);
  await answer(page, ({ type }) => type === "ready");
  await page.evaluate(() => {
    const { ask } = window as unknown as { ask: (message: object) => void };
    for (let count = 1; count <= 2000; count++)
      ask({ type: "setState", id: String(count), link: `#v1/instance-caging-vm?sessions=${count}` });
  });
  await answer(page, ({ id }) => id === "2000");
  const states = (await told(page)).filter(({ type }) => type === "state");
  expect(states.map(({ id }) => Number(id))).toEqual(Array.from({ length: 2000 }, (_, count) => count + 1));
  // The messages come in a few frames, each with at most two links that act.
  expect(states.filter(({ isSuperseded }) => isSuperseded !== true).length).toBeLessThan(200);
  expect(states.at(-1)?.state?.link).toContain("sessions=2000");
});
