/** Sessions of one host, by class. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadWasm } from "../../engine/loadWasm";
import { simulatedInput } from "../../testing/simulatedInput";
import { isActive } from "./accounts";
import { CLASSES, classOf } from "./classes";
import { sessionsOn } from "./ledger";

const module = await loadWasm(readFileSync(new URL("../../engine/wasm/sim_bg.wasm", import.meta.url)));

const uncaged = "resource_manager_plan=none&a.resource_manager_plan=none";

it.each([
  "starved-lms", "slow-redo-elsewhere", "two-hosts", "two-hosts?think_time_ms=50", "sequence-nocache",
  `two-hosts?os_scheduler=processor_sharing&${uncaged}&think_time_ms=50`,
  `two-hosts?os_scheduler@node1=processor_sharing&${uncaged}&think_time_ms=50`,
])("of all hosts sum to those of the report, over all starts: %s", (link) => {
  const { fullA, fullB } = simulatedInput(module, `#v1/${link}`, 300_000)!;
  for (const { report } of [fullA!, fullB!]) {
    const apart = CLASSES.filter(isActive).flatMap((name) => {
      const hosts = report.nodes.map((_, i) => sessionsOn(report, i + 1, (one) => one === name));
      const all = report.aas.filter((row) => classOf(row.class) === name).reduce((sum, { mean }) => sum + mean, 0);
      const sum = hosts.reduce((total, own) => total + own, 0);
      return Math.abs(sum - all) > 0.001 + 0.001 * all ? [`${name}: ${sum} of ${all}`] : [];
    });
    expect(apart).toEqual([]);
  }
});
