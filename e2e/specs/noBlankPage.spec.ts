import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test, type Page, type Route } from "@playwright/test";
import { serveFolder } from "../../web/scripts/static-server.mjs";
import { Lab } from "../pages/lab";

const built = fileURLToPath(new URL("../../dist", import.meta.url));

/** Not the lab fixture: here errors in the console are what happens. */
const settled = (page: Page) => expect(page.locator('main[data-stage="settled"]')).toBeVisible({ timeout: 40_000 });

test("a part of the page that is gone ends in a sentence and a way on", async ({ page }) => {
  await page.route(/mount-.*\.js$/, (route: Route) => route.fulfill({ status: 404, body: "gone" }));
  await page.goto(Lab.address());
  await expect(page.getByRole("alert")).toContainText("Reload it");
  await page.unroute(/mount-.*\.js$/);
  await page.getByRole("button", { name: "Reload" }).click();
  await settled(page);
});

test("a first script that is gone leaves the sentence that stands in the page", async ({ page }) => {
  await page.route(/index-.*\.js$/, (route: Route) => route.fulfill({ status: 404, body: "gone" }));
  await page.goto(Lab.address());
  await expect(page.getByText("Reload it, or open it in another browser")).toBeVisible();
});

test("without workers the page computes in its own thread", async ({ page }) => {
  await page.addInitScript(() => {
    function Refused(): never {
      throw new DOMException("no workers here", "SecurityError");
    }
    window.Worker = Refused as unknown as typeof Worker;
  });
  await page.goto(Lab.address());
  await settled(page);
  expect(page.workers()).toHaveLength(0);
});

test("a host that enforces trusted types gets the page, too", async ({ page }) => {
  await page.route(/\/lab\/$/, async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({
      response, headers: { ...response.headers(), "content-security-policy": "require-trusted-types-for 'script'" },
    });
  });
  await page.goto(Lab.address());
  await settled(page);
});

test("from a file it says that it wants a web server", async ({ page }) => {
  await page.goto(`file://${built}/index.html`);
  await expect(page.getByText("it runs from a web server, not from a file")).toBeVisible();
});

test.describe("in a sandbox without an origin", () => {
  let host: Server;
  let address = "";
  let frame = "";

  test.beforeAll(async () => {
    host = createServer((_, response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<!doctype html><title>Host</title><iframe title="Lab" width="900" height="700" sandbox="allow-scripts" `
            + `src="${frame}"></iframe>`,
        ),
    );
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
  });

  test.afterAll(() => {
    host.close();
  });

  test("it says so where its host sends no permission", async ({ page }) => {
    frame = Lab.address("", "embed.html");
    await page.goto(address);
    await expect(page.frameLocator("iframe").getByText("not in a sandbox without an origin of its own")).toBeVisible();
  });

  test("it computes in its own thread where it may load its parts", async ({ page }) => {
    const site = await serveFolder({ folder: built, prefix: "/lab/", headers: { "access-control-allow-origin": "*" } });
    frame = `${site.address}embed.html`;
    await page.goto(address);
    await expect(page.frameLocator("iframe").locator('main[data-stage="settled"]')).toBeVisible({ timeout: 40_000 });
    await site.close();
  });
});

test("a simulation that cannot be loaded is told to the ear, too", async ({ page }) => {
  await page.route(/\.wasm$/, (route: Route) => route.fulfill({ status: 404, body: "gone" }));
  await page.goto(Lab.address());
  await expect(page.getByRole("alert").filter({ hasText: "could not be loaded" })).toBeAttached({ timeout: 40_000 });
});

test("the site carries the licences of all that it is made from, and the page leads there", async ({ page }) => {
  await page.goto(Lab.address());
  await settled(page);
  await page.getByRole("button", { name: /leaves out/ }).click();
  const [response] = await Promise.all([
    page.waitForResponse(/licences\.txt$/), page.getByRole("link", { name: "Licences" }).click(),
  ]);
  expect(await response.text()).toBe(readFileSync(`${built}/licences.txt`, "utf8"));
  expect(await response.text()).toContain("\nreact-dom ");
});

test("a note and a title cannot turn a line round", async ({ page }) => {
  await page.goto(Lab.address("#v1/instance-caging-vm?note=%E2%80%AEgnp.exe&title=a%E2%80%AEb"));
  await settled(page);
  await expect(page.locator("main .notice")).toHaveText(" gnp.exe", { useInnerText: false });
  expect(await page.locator("body").innerText()).not.toMatch(/[\u202a-\u202e]/);
  expect(await page.title()).not.toMatch(/[\u202a-\u202e]/);
});
