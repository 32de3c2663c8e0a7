import { main, run, show } from "./shell.mjs";
import { buildNativeRunner } from "./sim.mjs";
import { isMain } from "./steps.mjs";

/** Of 60 intervals at 95 % so many hold the truth at the least: fewer come by chance in one of three hundred. */
const LEAST = 52 / 60;
/** Intervals are at most so many times as wide as the spread of 60 figures; that spread is itself known to a tenth. */
const WIDEST = 1.6;

/** Every figure with a known true value, over seeds 1 to 60. */
export async function checkCoverage() {
  const limits = ["--seeds", "60", "--precision", "0.05", "--at-least", String(LEAST), "--no-wider", String(WIDEST)];
  const { stdout } = await run(await buildNativeRunner(), ["coverage", ...limits]);
  return { note: `${stdout.trim().split("\n").length - 2} figures, 60 seeds each` };
}

if (isMain(import.meta)) await main(async (args) => show(await buildNativeRunner(), ["coverage", ...args]));
