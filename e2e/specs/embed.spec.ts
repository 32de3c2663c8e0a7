import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

interface Told {
  readonly type: string;
  readonly id?: string;
  readonly message?: string;
  readonly isUserInitiated?: boolean;
  readonly state?: { readonly link: string; readonly finding: string; readonly stage: string };
}

/** A course page on another origin, with the lab in a frame; it writes down what the frame says. */
const coursePage = (frame: string): string => `<!doctype html><html lang="en"><title>Lesson 3</title>
<iframe id="lab" title="Lab" width="900" height="700" src="${frame}"></iframe>
<script>
  window.told = [];
  addEventListener("message", (event) => event.data && event.data.ns === "wait-what-if" && told.push(event.data));
  window.ask = (message) => document.getElementById("lab").contentWindow.postMessage({ ns: "wait-what-if", version: 1, ...message }, "*");
</script></html>`;

let course: Server;
let address = "";

test.beforeAll(async () => {
  course = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(request.url === "/" ? coursePage(Lab.address("", "embed.html?panels=answer,curve,knobs&show=cpu_count,sessions")) : "");
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
  const change = await answer(page, ({ type, state }) => type === "change" && (state?.link.includes("cpu_count=4") ?? false));
  expect(change.isUserInitiated).toBe(true);
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
  await ask(page, { type: "setState", id: "bad", link: "#v1/instance-caging-vm?cpu_count=<img src=x onerror=alert(1)>" });
  expect((await answer(page, ({ id }) => id === "bad")).message).toContain("cpu_count");
  await ask(page, { type: "launchMissiles", id: "worse" });
  expect((await answer(page, ({ id }) => id === "worse")).type).toBe("error");
  await ask(page, { type: "getState", id: "after" });
  expect((await answer(page, ({ id }) => id === "after")).state?.link).toMatch(/^#v1\/instance-caging-vm(\?|$)/);
});
