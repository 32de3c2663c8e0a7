import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

const WASM = "**/assets/*.wasm";
const KEPT = "**/kept/*.json";

/** Opens a page whose simulation does not come before it is let through. */
async function openWithout(lab: Lab, hash: string): Promise<() => void> {
  let letThrough = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await lab.page.route(WASM, async (route) => {
    await held;
    await route.continue();
  });
  await lab.page.goto(Lab.address(hash));
  return letThrough;
}

for (const [preset, word] of [["instance-caging-vm", "Caging"], ["starved-lms", ""], ["px-across-nodes", ""]] as const)
  test(`${preset}: what was kept stands before anything has run, and says so`, async ({ lab }) => {
    await openWithout(lab, `#v1/${preset}`);
    const { page } = lab;
    await expect(page.locator('main[data-stage="kept"]')).toBeVisible();
    await expect(lab.headline).toContainText(word);
    await expect(lab.headline).toContainText(/\d/);
    await expect(page.locator(".curve .chart-body")).toContainText("kept with the page, running here");
    await expect(page.locator(".curve svg.plot path.b")).toHaveAttribute("d", /^M.{20}/);
    await expect(lab.events.getByRole("row")).not.toHaveCount(0);
    // Laws are those of a run: there is none yet.
    await expect(page.locator("footer")).not.toContainText("Little");
  });

test("the sketch that runs here says what was kept, and then the page settles", async ({ lab }) => {
  const letThrough = await openWithout(lab, "#v1/caging-nine-on-six");
  await expect(lab.page.locator('main[data-stage="kept"]')).toBeVisible();
  const said = await lab.headline.textContent();
  const titles = await lab.page.evaluate(() => {
    const seen: (string | null | undefined)[] = [];
    const main = document.querySelector("main");
    new MutationObserver(() => {
      if (main?.dataset["stage"] === "coarse") seen.push(document.querySelector("h1")?.textContent);
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    (window as unknown as { seen: unknown }).seen = seen;
    return seen.length;
  });
  expect(titles).toBe(0);
  letThrough();
  await lab.settled();
  const coarse = await lab.page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  for (const headline of coarse) expect(headline).toBe(said);
});

test("a link to another scenario shows nothing that was kept", async ({ lab }) => {
  await openWithout(lab, "#v1/instance-caging-vm?lio_us=3");
  await expect(lab.page.locator('main[data-stage="empty"]')).toBeVisible();
  await expect(lab.headline).toBeEmpty();
});

test("what was kept and does not come holds nothing up", async ({ lab, strays }) => {
  await lab.page.route(KEPT, (route) => route.fulfill({ status: 404, body: "" }));
  await lab.open("#v1/caging-nine-on-six");
  expect(strays.splice(0).filter((stray) => !stray.includes("404"))).toEqual([]);
});
