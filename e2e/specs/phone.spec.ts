import { expect, test } from "../fixtures/lab";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test("on a phone the lab fits, and a knob is under the thumb", async ({ lab }) => {
  await lab.open();
  const overflow = await lab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await lab.page
    .getByRole("group", { name: "Other knobs" })
    .getByRole("button", { name: /cpu_count/ })
    .tap()
    .catch(() => undefined);
  const slider = lab.knob("cpu_count");
  await expect(slider).toBeAttached();
  const before = await lab.value("cpu_count");
  await slider.press("ArrowLeft");
  await expect.poll(() => lab.value("cpu_count")).toBe(before - 1);
  await lab.settled();
});

test("targets on a phone are large enough for a finger", async ({ lab }) => {
  await lab.open();
  const small = await lab.page.locator("button:visible").evaluateAll((buttons) =>
    buttons
      .map((button) => ({
        text: button.getAttribute("aria-label") ?? button.textContent ?? "", box: button.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width < 24 || box.height < 24)
      .map(({ text, box }) => `${text}: ${Math.round(box.width)} × ${Math.round(box.height)}`),
  );
  expect(small).toEqual([]);
});
