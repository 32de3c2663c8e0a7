/** Where the simulation reports a queue that grows, a point of its answers is told from one that has a value. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { builtCatalogue } from "../../engine/browserEngine";
import { loadWasm } from "../../engine/loadWasm";
import { openEngine } from "../../testing/directEngine";
import { finePoint, fullRun, outcomesOf, task } from "../../testing/engineContract";
import { isEndless, readingOf } from "./metrics";

const module = await loadWasm(readFileSync(new URL("../../engine/wasm/sim_bg.wasm", import.meta.url)));

it.each(["service_p99_ms", "service_mean_ms"])("%s has no value where the report's queue grows", async (metric) => {
  for (const rate of [50, 250]) {
    for (const precision of [0.03, 0.1]) {
      const query = `starved-service?service_per_s=${rate}&sessions=10`;
      const tasks = [
        task(query, { ...finePoint, metric, precision }), task(query, { ...finePoint, metric, coarse: true }, "coarse"),
        task(query, { ...fullRun, precision }),
      ];
      const found = (await outcomesOf(openEngine(module, builtCatalogue), tasks)).flatMap((one) =>
        one.kind === "point" ? [[isEndless(one.point, metric), readingOf(one.point, metric) === null]]
          : one.kind === "full" ? [one.full.report.services.some(({ grows }) => grows)] : [],
      );
      const grows = rate === 250;
      expect(found).toEqual([[grows, grows], [grows, grows], grows]);
    }
  }
}, 60_000);
