import type { Page } from "@playwright/test";
import { differsFrom, disagreements, type Printed } from "../fixtures/agreement";
import { printCopied } from "../fixtures/commandLine";
import { expect, test } from "../fixtures/lab";
import { textsOf, type PageTexts } from "../fixtures/pageTexts";
import { randomScenarios, type RandomScenario } from "../fixtures/randomScenarios";
import { faultsOf } from "../fixtures/textFaults";
import { Lab } from "../pages/lab";

/** `npm run random` asks for more of them, and for all of them on the command line. */
const COUNT = Number(process.env["RANDOM_COUNT"] ?? 30);
const SEED = Number(process.env["RANDOM_SEED"] ?? 11);
const PATIENCE_MS = Number(process.env["RANDOM_PATIENCE_S"] ?? 3) * 1000;
const PRINTED_EVERY = Number(process.env["RANDOM_PRINTED_EVERY"] ?? 5);
const HAS_TEXTS = process.env["RANDOM_TEXTS"] !== undefined;

const FINAL = 'main:not([data-busy]):is([data-stage="settled"],[data-stage="truncated"])';
const ENDED = `${FINAL}, main[data-stage="refused"], main[data-stage="failed"]`;

/** True: it stands, or was refused. False: it took long and was stopped, if there was anything left to stop. */
async function endsInTime(page: Page): Promise<boolean> {
  try {
    await page.locator(ENDED).waitFor({ timeout: PATIENCE_MS });
    return true;
  } catch {
    const stop = page.getByRole("button", { name: "Stop", exact: true });
    await Promise.race([stop.click(), page.locator(ENDED).waitFor()]);
    await page.locator(`main:not([data-busy]), ${ENDED}`).first().waitFor();
    return page.locator(ENDED).isVisible();
  }
}

/** What stands when it was stopped says that it is a part. */
function unmarked(texts: PageTexts): readonly string[] {
  const isMarked = texts.blocks.some((one) => /^Stopped: .*\d of \d+ runs/.test(one));
  const sure = texts.sure === "" || /stopped/i.test(texts.sure) || !/so far/.test(texts.sure);
  return isMarked && sure ? [] : [`stopped, and not marked as a part: “${texts.sure}”`];
}

/** Side A against B, out of the line that says B against A. */
function lineOfA(line: string, { preset }: RandomScenario): string | null {
  const pattern = /^npm run -s sim -- run \S+((?: --set \S+)*)(.*?) --against '?([^' ]+)'?$/;
  const [, sets = "", rest = "", other] = pattern.exec(line) ?? [];
  if (other === undefined) return null;
  const query = [...sets.matchAll(/ --set '?([^' ]+)'?/g)].map(([, pair]) => pair).join("&");
  return `npm run -s sim -- run '${other}'${rest} --against '${preset.id}?${query}'`;
}

async function printedFaults(lab: Lab, texts: PageTexts, one: RandomScenario): Promise<readonly string[]> {
  const line = await lab.commandLine();
  const b = printCopied(line) as Printed;
  const other = lineOfA(line, one);
  return differsFrom(texts, one, b, other === null ? null : (printCopied(other) as Printed));
}

async function faultsIn(lab: Lab, one: RandomScenario, isPrinted: boolean): Promise<readonly string[]> {
  await lab.page.goto(Lab.address(one.hash));
  const hasEnded = await endsInTime(lab.page);
  const texts = await textsOf(lab.page);
  const { stage, headline, why, sure, handle } = texts;
  if (HAS_TEXTS) process.stdout.write(`${[one.hash, stage, headline, why, sure, handle].join("\n  ")}\n`);
  const faults = [...faultsOf(texts, one.metric)];
  if (!hasEnded) return [...faults, ...unmarked(texts)];
  if (texts.headline === "") faults.push("no headline");
  if (texts.stage === "refused") {
    const isInPlace = /[a-z] [a-z]/.test(texts.headline) && texts.why === "";
    return isInPlace ? faults : [...faults, "the refusal is not the headline"];
  }
  if (texts.stage !== "settled") return faults;
  faults.push(...disagreements(texts, one));
  return isPrinted ? [...faults, ...(await printedFaults(lab, texts, one))] : faults;
}

test.describe.configure({ mode: "parallel" });
test.use({ viewport: { width: 1440, height: 900 } });

randomScenarios(COUNT, SEED).forEach((one, i) => {
  test(`random scenario ${i + 1}: ${one.hash}`, async ({ lab }) => {
    test.setTimeout(PATIENCE_MS + 60_000);
    const faults = await faultsIn(lab, one, i % PRINTED_EVERY === 0);
    expect(faults, one.hash).toEqual([]);
  });
});
