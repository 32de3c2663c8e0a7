import { expect, test } from "../fixtures/lab";

const TEXTS = "**/assets/texts-*.json";

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("texts are fetched after the answer, once", async ({ lab }) => {
    const asked: string[] = [];
    lab.page.on("request", (request) => request.url().includes("texts-") && asked.push(request.url()));
    await lab.open("#v1/caging-nine-on-six");
    await expect.poll(() => asked.length).toBe(1);
    await lab.page.getByRole("button", { name: "What this model leaves out" }).click();
    const dialog = lab.page.getByRole("dialog", { name: "What this model leaves out" });
    await expect(dialog.getByRole("definition").last()).not.toBeEmpty();
    expect(asked).toHaveLength(1);
    await dialog.getByRole("button", { name: "Close" }).click();
    await lab.page.getByRole("button", { name: "What this model leaves out" }).click();
    await expect(dialog.getByRole("definition").last()).not.toBeEmpty();
    expect(asked).toHaveLength(1);
  });
});

test("what could not be fetched is said, and comes when the dialog is opened again", async ({ lab, strays }) => {
  await lab.page.route(TEXTS, (route) => route.fulfill({ status: 503, body: "" }));
  await lab.open("#v1/caging-nine-on-six");
  const about = lab.page.getByRole("note", { name: "About the knob in hand" });
  await expect(about).toContainText("could not be loaded");
  const open = lab.page.getByRole("button", { name: "Published", exact: true });
  const dialog = lab.page.getByRole("dialog", { name: "Published figures" });
  await open.click();
  await expect(dialog.getByText("The list could not be loaded.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  expect(strays.splice(0).filter((stray) => !stray.includes("503"))).toEqual([]);
  await lab.page.unroute(TEXTS);
  await open.click();
  await expect(dialog.getByRole("rowheader").first()).toHaveText("Nine sessions on six CPUs");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(about).not.toContainText("loaded");
});
