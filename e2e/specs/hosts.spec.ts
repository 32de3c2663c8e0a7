import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures/lab";
import type { Lab } from "../pages/lab";

const choice = (page: Page, what: "Knobs" | "Charts" | "Lanes"): Locator =>
  page.getByRole("radiogroup", { name: `${what} of which host` });

const chosen = (page: Page, what: "Knobs" | "Charts" | "Lanes"): Locator =>
  choice(page, what).getByRole("radio", { checked: true });

/** Titles of the charts beside the curve. */
async function titles(lab: Lab): Promise<string[]> {
  const all = await lab.page.locator(".matrix").getByRole("heading", { level: 2 }).allInnerTexts();
  return all.map((text) => text.replaceAll("\u00a0", " "));
}

async function choose(lab: Lab, what: "Knobs" | "Charts" | "Lanes", host: string): Promise<void> {
  await choice(lab.page, what).getByText(host, { exact: true }).click();
}

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

test("one host or all: charts follow, the link keeps it, Back leads out", async ({ lab }) => {
  await lab.open("#v1/two-hosts");
  const heads = async () => (await titles(lab)).map((title) => title.split(":")[0]);
  await expect(chosen(lab.page, "Charts")).toHaveAccessibleName("side by side");
  expect((await heads()).slice(0, 5)).toEqual(["Host 1", "Host 2", "Host 1", "Host 2", "Both hosts"]);
  await choose(lab, "Charts", "host 2");
  await expect.poll(heads).toEqual(expect.arrayContaining(["Host 2", "Both hosts"]));
  await expect.poll(heads).not.toContain("Host 1");
  expect(lab.link()).toContain("view.host=2");
  await expect(chosen(lab.page, "Knobs")).toHaveAccessibleName("host 2");
  await lab.page.goBack();
  await expect(chosen(lab.page, "Charts")).toHaveAccessibleName("side by side");
  expect(lab.link()).not.toContain("view.host");
  await expect.poll(heads).toContain("Host 1");
  await expect(lab.page.getByRole("heading", { name: /^Both hosts: / }).first()).toBeVisible();
  await expect(lab.events.getByRole("heading", { name: /^Events of both hosts: / })).toBeVisible();
});

test("by keyboard: a knob is set for both hosts, then for one of them", async ({ lab }) => {
  await lab.open("#v1/two-hosts?a=");
  await lab.knob("cpu_count").focus();
  await lab.page.keyboard.press("ArrowRight");
  await expect.poll(() => lab.link()).toContain("cpu_count=9");
  const each = lab.page.getByRole("button", { name: "cpu_count: each of its own" });
  await each.focus();
  await lab.page.keyboard.press("Enter");
  await lab.knob("cpu_count@instance2").focus();
  for (const key of ["ArrowRight", "ArrowRight"]) await lab.page.keyboard.press(key);
  await expect(lab.knob("cpu_count@instance2")).toBeFocused();
  await expect.poll(() => lab.link()).toContain("cpu_count@instance2=11");
  expect([await lab.value("cpu_count@instance1"), await lab.value("cpu_count@instance2")]).toEqual([9, 11]);
  await expect(each).toBeHidden();
  // Back to the same value the lines stay where they are, until somebody joins them.
  for (const key of ["ArrowLeft", "ArrowLeft"]) await lab.page.keyboard.press(key);
  await expect(lab.knob("cpu_count@instance2")).toBeFocused();
  await each.press("Enter");
  await expect(lab.knob("cpu_count")).toBeVisible();
  expect(await lab.value("cpu_count")).toBe(9);
  await lab.settled();
});

test("of one host alone its knobs, and what they change is of that host", async ({ lab }) => {
  await lab.open("#v1/two-hosts?a=&view.host=2");
  const field = lab.page.getByRole("textbox", { name: "cores_per_socket@node2, type a number" });
  await expect(field).toHaveValue("8");
  const more = lab.page.getByRole("button", { name: /^Host: show \d+ more$/ });
  if (await more.isVisible()) await more.click();
  await field.fill("6");
  await field.press("Enter");
  await expect.poll(() => lab.link()).toContain("cores_per_socket@node2=6");
  await lab.settled();
  await expect.poll(() => titles(lab)).toContainEqual(expect.stringMatching(/^Host 2: [\d.]+ of 24 threads busy$/));
  await choose(lab, "Knobs", "side by side");
  await expect.poll(() => titles(lab)).toContainEqual(expect.stringMatching(/^Host 1: [\d.]+ of 8 threads busy$/));
});

test("the timeline's lanes carry the host and count its threads", async ({ lab }) => {
  await lab.open("#v1/two-hosts?view.view=timeline&view.timelineSide=a");
  const title = lab.page.getByRole("heading", { level: 2 }).first();
  await expect(title).toHaveText(/^Both hosts, 40 threads: /, { timeout: 30_000 });
  const area = lab.page.getByRole("application");
  await area.focus();
  await area.press("ArrowDown");
  const readout = lab.page.locator(".timeline-readout");
  await expect(readout).toContainText(/session \d+ running on thread 0 of host 1/);
  for (let i = 0; i < 8; i++) await area.press("ArrowDown");
  await expect(readout).toContainText(/session \d+ running on thread 0 of host 2/);
  await choose(lab, "Lanes", "host 1");
  await expect(title).toHaveText(/^Host 1, 8 threads: /);
  expect(lab.link()).toContain("view.host=1");
});

const looks = [
  { shown: "side by side", link: "&view.theme=light" }, { shown: "one of them", link: "&view.theme=dark&view.host=1" },
];
for (const { shown, link } of looks)
  test(`axe finds nothing in two hosts, ${shown}`, async ({ lab }) => {
    await lab.open(`#v1/two-hosts?cpu_count@instance2=16${link}`);
    expect(await faults(lab.page)).toEqual([]);
  });

test("on a phone both hosts' values are in reach, and axe finds nothing", async ({ lab }) => {
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await lab.open("#v1/two-hosts?sessions@instance2=12");
  const [one, two] = [lab.knob("sessions@instance1"), lab.knob("sessions@instance2")];
  await expect(one).toBeInViewport();
  await expect(two).toBeInViewport();
  await two.focus();
  await lab.page.keyboard.press("ArrowRight");
  await expect.poll(() => lab.link()).toContain("sessions@instance2=13");
  await lab.settled();
  expect(await faults(lab.page)).toEqual([]);
});
