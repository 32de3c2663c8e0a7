import { expect, it } from "vitest";
import { buildInput, cagedValues, textOf, uncagedValues } from "../../../testing/buildInput";
import { throughputParts } from "../../sides/ledger";
import { limit } from "./cage";

const open = "lio 3.0M\n response 600\n running 6ms 8\n node threads 8 useful 8\n ledger capacity 8\n ledger work 8";
const narrow = `lio 1.5M\n response 600\n running 100ms 4\n cage slots 2 empty 0\n node threads 8 useful 4
  ledger capacity 8\n ledger work 4\n ledger cage_limit 4 10`;

it("names the cage that is full, and not that of an instance with fewer sessions than slots", () => {
  const built = buildInput(open, narrow, { a: uncagedValues, b: cagedValues });
  const [a, report] = [built.fullA!.report, built.fullB!.report];
  const row = report.instances[0]!;
  const instances = [{ ...row, slots: 2, slot_utilisation: 1 }, { ...row, slots: 6, slot_utilisation: 0.33 }];
  const input = { ...built, preset: { ...built.preset, instances: [1, 1] } };
  const part = throughputParts(a, report).find(({ cause }) => cause === "limit")!;
  const said = limit.sentences!({ input, a, b: { ...report, instances }, part }).flat();
  expect(textOf(said)).toContain("The cage of instance 1 lets 2 run at once");
});
