import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { coarsePoint } from "../testing/engineContract";
import { builtCatalogue } from "./browserEngine";
import { loadAnew } from "./loadAnew";

it("loads a simulation that shares nothing with the one before", async () => {
  const bytes = readFileSync(new URL("./wasm/sim_bg.wasm", import.meta.url));
  const [one, two] = [await loadAnew(bytes), await loadAnew(bytes)];
  expect(two.Run).not.toBe(one.Run);
  const run = (from: typeof one): string => {
    const made = new from.Run(builtCatalogue.presets[0]?.id ?? "", JSON.stringify(coarsePoint));
    while (made.advance(1e6)[0] !== 1);
    const figures = made.reps(false).join(" ");
    made.free();
    return figures;
  };
  expect(run(two)).toBe(run(one));
});
