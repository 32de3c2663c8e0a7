import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

const script = "<img src=x onerror=\"window.ran=1\"><script>window.ran=1</script>javascript:window.ran=1";
const long = "9".repeat(20_000);
const hostile = [
  `#v1/instance-caging-vm?title=${encodeURIComponent(script)}&note=${encodeURIComponent(script)}`,
  `#v1/${encodeURIComponent(script)}`,
  `#v1/instance-caging-vm?${encodeURIComponent(script)}=1`,
  `#v1/instance-caging-vm?cpu_count=${encodeURIComponent(script)}`,
  `#v1/instance-caging-vm?view.theme=${encodeURIComponent(script)}&view.panels=${encodeURIComponent(script)}`,
  `#v1/instance-caging-vm?sessions=${long}`,
  `#v1/instance-caging-vm?sessions=1e308&think_time_ms=-0`,
  "#v1/instance-caging-vm?__proto__=1&constructor=2&a.__proto__=3&view.__proto__=4",
  "#v1/__proto__?cpu_count=4",
  "#v1/instance-caging-vm?cpu_count=4&cpu_count=5&a.a.cpu_count=6&cpu_count@instance99999999999=1",
  `#v1/instance-caging-vm?${"&".repeat(5_000)}`,
  "#v1/instance-caging-vm?smt_yield=1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17",
  "#%00%ff%fe",
  "#v1/instance-caging-vm?seed=-1&seed=1e99",
];

test("whatever a link says, nothing of it is executed and the page goes on", async ({ lab }) => {
  await lab.open();
  lab.page.on("dialog", (dialog) => {
    throw new Error(`a dialog: ${dialog.message()}`);
  });
  for (const hash of hostile) {
    await lab.page.evaluate((next) => location.assign(next), hash);
    await expect(lab.headline).not.toBeEmpty();
    await lab.settled();
    expect(await lab.page.evaluate(() => "ran" in window)).toBe(false);
  }
  await lab.page.evaluate(() => location.assign("#v1/instance-caging-vm?cpu_count=3"));
  await expect.poll(() => lab.value("cpu_count")).toBe(3);
  await lab.settled();
});

test("a script in a title is text on a fresh page too", async ({ lab }) => {
  await lab.open(hostile[0]);
  expect(await lab.page.evaluate(() => "ran" in window)).toBe(false);
  expect(await lab.page.locator("img[src='x'], main script").count()).toBe(0);
});

test("the built page may reach nothing but its own origin", async ({ lab }) => {
  await lab.open();
  const policy = await lab.page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
  expect(policy).not.toContain("unsafe-inline");
});

test("of several things that the simulation refuses each stands on a line of its own", async ({ lab }) => {
  await lab.page.goto(Lab.address("#v1/soft-affinity-hackbench?cores_per_socket=1&os_scheduler=round_robin"));
  const notice = lab.page.getByRole("alert");
  await expect(notice).toContainText("Shown instead");
  const lines = (await notice.innerText()).split("\n");
  expect(lines.filter((line) => /^affinity@instance\d is soft/.test(line))).toHaveLength(2);
});
