import { readFile } from "node:fs/promises";
import { runCopied } from "../fixtures/commandLine";
import { expect, test } from "../fixtures/lab";
import { Lab } from "../pages/lab";

/** `CURVE_LOADS=40 npm run e2e -- curve` asks the command line for more of them. */
const LOADS = Number(process.env["CURVE_LOADS"] ?? 12);
const HOST =
  "instance-caging-vm?resource_manager_plan=none&os_scheduler=eevdf&sockets=2&cores_per_socket=16&sessions=300";

interface Point {
  readonly x: number;
  readonly y: number;
  readonly ci95: number;
}

/** B's curve as it can be taken along, in LIO/s. */
async function curveOf(lab: Lab): Promise<readonly Point[]> {
  const saved = lab.page.waitForEvent("download");
  await lab.choose(/^More of: Throughput/, "Save as CSV");
  const [head = "", ...lines] = (await readFile(await (await saved).path(), "utf8")).trim().split(/\r?\n/);
  expect(head).toMatch(/^"?sessions"?,"?B \(M LIO\/s\)"?,"?B ±95 %"?,/);
  return lines.map((line) => {
    const [x = 0, y = 0, ci95 = 0] = line.split(",").map(Number);
    return { x, y: y * 1e6, ci95: ci95 * 1e6 };
  });
}

/** As drawn: straight from point to point, and what the band there allows. */
function drawnAt(points: readonly Point[], x: number): { y: number; ci95: number } {
  const [left, right] = [points.findLast((one) => one.x <= x), points.find((one) => one.x >= x)];
  if (left === undefined || right === undefined) throw new Error(`no line is drawn at ${x}`);
  const share = right.x === left.x ? 0 : (x - left.x) / (right.x - left.x);
  return { y: left.y + share * (right.y - left.y), ci95: left.ci95 + share * (right.ci95 - left.ci95) };
}

const measuredAt = (sessions: number): number =>
  runCopied(`npm run -s sim -- run '${HOST}' --set sessions=${sessions} --precision 0.003 --without-rows`)
    .throughput.lio_per_s.mean;

test("the curve of a large host, joined as drawn, is what the command line finds between its points", async ({
  lab,
}) => {
  test.setTimeout(300_000 + LOADS * 10_000);
  await lab.page.goto(Lab.address(`#v1/${HOST}`));
  await lab.page.locator('main[data-stage="settled"]:not([data-busy])').waitFor({ timeout: 200_000 });
  const points = await curveOf(lab);
  expect(points.at(-1)?.x).toBeGreaterThanOrEqual(300);
  const loads = Array.from({ length: LOADS }, (_, i) => Math.round(1 + (299 * (i + 0.5)) / LOADS));
  const found = loads.map((x) => ({ x, y: measuredAt(x) }));
  const off = found.map(({ x, y }) => {
    const drawn = drawnAt(points, x);
    return { x, percent: (100 * (drawn.y - y)) / y, allowed: Math.max(3, (100 * drawn.ci95) / y) };
  });
  test.info().annotations.push({ type: "off [%]", description: JSON.stringify(off) });
  expect(off.filter(({ percent, allowed }) => Math.abs(percent) > allowed)).toEqual([]);
  const peak = (all: readonly { readonly y: number }[]): number => Math.max(...all.map(({ y }) => y));
  expect(Math.abs(peak(points) / peak(found) - 1)).toBeLessThan(0.03);
});
