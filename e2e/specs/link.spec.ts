import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

test("reloading shows the same picture", async ({ lab }) => {
  await lab.open("#v1/instance-caging-vm?cpu_count=5&sessions=12&seed=7");
  const before = { table: await lab.eventTable(), headline: await lab.headline.innerText(), link: lab.link() };
  await lab.page.reload();
  await lab.settled();
  await expect(lab.headline).toHaveText(before.headline);
  expect(await lab.eventTable()).toBe(before.table);
  expect(lab.link()).toBe(before.link);
});

test("a link opens the same picture in another browser", async ({ lab, browser }) => {
  await lab.open();
  await lab.knob("cpu_count").press("ArrowLeft");
  await expect.poll(() => lab.link()).toContain("cpu_count=7");
  await lab.settled();
  const other = await browser.newPage();
  const elsewhere = new Lab(other);
  await elsewhere.open(lab.link());
  expect(await elsewhere.eventTable()).toBe(await lab.eventTable());
  await other.close();
});

test("Back and Forward go through the scenarios", async ({ lab }) => {
  await lab.open();
  const first = await lab.value("cpu_count");
  await lab.knob("cpu_count").press("ArrowLeft");
  await expect.poll(() => lab.link()).toContain(`cpu_count=${first - 1}`);
  await lab.page.goBack();
  await expect.poll(() => lab.value("cpu_count")).toBe(first);
  await lab.page.goForward();
  await expect.poll(() => lab.value("cpu_count")).toBe(first - 1);
});

const broken = [
  { what: "a value out of range", hash: "#v1/instance-caging-vm?cpu_count=-3", says: /cpu_count/ },
  { what: "a value of the wrong kind", hash: "#v1/instance-caging-vm?sessions=many", says: /sessions.*many/ },
  { what: "a scenario that nobody knows", hash: "#v1/no-such-lab", says: /no-such-lab/ },
  { what: "a later version", hash: "#v9/instance-caging-vm", says: /v9|version/i },
  { what: "a text cut off", hash: "#v1/instance-caging-vm?cpu_count=%E0%A4%A", says: /link|cpu_count/i },
];

for (const { what, hash, says } of broken) {
  test(`a link with ${what} says so and opens the default`, async ({ lab }) => {
    await lab.open(hash);
    await expect(lab.page.getByRole("alert")).toContainText(says);
    await expect(lab.headline).not.toBeEmpty();
  });
}

test("a broken link in an open page keeps the last good picture", async ({ lab }) => {
  await lab.open("#v1/instance-caging-vm?cpu_count=5");
  await lab.page.evaluate(() => location.assign("#v1/instance-caging-vm?cpu_count=NaN"));
  await expect(lab.page.getByRole("alert")).toContainText("cpu_count");
  await lab.settled();
  expect(await lab.value("cpu_count")).toBe(5);
});

test("Back leads from the timeline to the page, and from other axes to those before", async ({ lab }) => {
  await lab.open();
  const main = lab.page.locator("main");
  await lab.page.getByRole("button", { name: "Timeline", exact: true }).click();
  await expect(main).toHaveAttribute("data-view", "timeline");
  await expect.poll(() => lab.link()).toContain("timeline");
  await lab.page.goBack();
  await expect(main).not.toHaveAttribute("data-view", "timeline");
  await lab.choose(/^Horizontal axis/, "cpu_count");
  await expect.poll(() => lab.link()).toContain("x=cpu_count");
  await lab.page.goBack();
  await expect.poll(() => lab.link()).not.toContain("x=cpu_count");
  await expect(lab.page.getByRole("slider", { name: "sessions, on the curve" })).toBeAttached();
});
