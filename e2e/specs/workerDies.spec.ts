import { expect, test } from "../fixtures/lab";

test("a worker that closes itself is replaced and the page goes on", async ({ lab }) => {
  await lab.open();
  const workers = lab.page.workers();
  expect(workers.length).toBeGreaterThan(0);
  for (const worker of workers) void worker.evaluate(() => self.close()).catch(() => undefined);
  await lab.knob("cpu_count").press("ArrowLeft");
  await expect.poll(() => lab.link()).toContain("cpu_count=7");
  await lab.settled();
  expect(await lab.throughput()).toBeGreaterThan(0);
  const replaced = lab.page.workers().filter((worker) => !workers.includes(worker));
  expect(replaced.length).toBeGreaterThan(0);
});
