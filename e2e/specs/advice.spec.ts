import { runCopied } from "../fixtures/commandLine";
import { expect, test } from "../fixtures/lab";

const words = [
  "What to do\\. For throughput cage at (\\d+) to (\\d+) sessions, not at (\\d+) to (\\d+) sessions\\.",
  "At 32 sessions do so if switch_refill_us is over about (\\d+) µs: the turn is between (\\d+) and (\\d+)\\.",
].join(" ");
const advice = new RegExp(words.replaceAll(" ", "\\s"));

/** By how much the cage gives more than none, as the command line finds it. */
function gain(...sets: readonly string[]): number {
  const side = (more: readonly string[]) => {
    const all = [...sets, ...more].map((set) => `--set ${set}`).join(" ");
    return runCopied(`npm run -s sim -- run instance-caging-vm ${all} --seed 7 --precision 0.005`);
  };
  return side([]).throughput.lio_per_s.mean - side(["resource_manager_plan=none"]).throughput.lio_per_s.mean;
}

test("what to do holds at the very edges that it names", async ({ lab }) => {
  test.slow();
  await lab.open("#v1/instance-caging-vm");
  const line = lab.page.getByText("What to do.").locator("..");
  await expect(line).toHaveText(advice);
  const [from, to, less, more, about, lower, upper] = (advice.exec(await line.innerText()) ?? []).slice(1).map(Number);
  for (const sessions of [from, to]) expect(gain(`sessions=${sessions}`)).toBeGreaterThan(0);
  for (const sessions of [less, more]) expect(gain(`sessions=${sessions}`)).toBeLessThan(0);
  expect(about).toBeGreaterThanOrEqual(lower ?? Number.NaN);
  expect(about).toBeLessThanOrEqual(upper ?? Number.NaN);
  expect(gain(`switch_refill_us=${lower}`)).toBeLessThan(0);
  expect(gain(`switch_refill_us=${upper}`)).toBeGreaterThan(0);
});

test("nothing is advised where the sides differ in more, nor where nothing turns", async ({ lab }) => {
  await lab.open("#v1/instance-caging-vm?a.resource_manager_plan=none&a.think_time_ms=5");
  await expect(lab.page.getByText("What to do.")).toHaveCount(0);
  await lab.open("#v1/caging-nine-on-six");
  await expect(lab.page.getByText("What to do.")).toHaveCount(0);
});
