import { expect, it } from "vitest";
import { buildInput } from "../../testing/buildInput";
import { buildReport } from "../../testing/buildReport";
import { byHost } from "./hosts";

it("the throughput of a host is that of all its instances and of no other", () => {
  const input = buildInput("", "");
  const preset = { ...input.preset, nodes: 2, instances: [1, 1, 2] };
  const of = (...millions: readonly number[]) => {
    const reports = millions.map((lio) => buildReport(`lio ${lio}M ±0.1%`).report);
    const [first] = reports;
    return {
      ...first!, nodes: [first!.nodes[0]!, first!.nodes[0]!], instances: reports.map(({ instances }) => instances[0]!),
    };
  };
  const told = byHost({ ...input, preset }, of(1, 1, 2), of(1, 1.4, 1));
  expect(told.replaceAll("\u00a0", " ")).toBe("host 1 gains 20 %, host 2 loses 50 %");
  const idle = byHost({ ...input, preset }, of(1, 1, 0), of(1, 1, 1));
  expect(idle).toBe("host 1 shows no difference, host 2 does nothing in A");
});
