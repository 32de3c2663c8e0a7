/** How sure: what the interval is of. */
import { expect, it } from "vitest";
import { buildInput, cagedValues, textOf } from "../../testing/buildInput";
import { howSureOf } from "./howSure";

it("says of which figure the interval is, where the chart has another", () => {
  const input = buildInput("lio 3.0M ±0.1%", "lio 3.3M ±0.1%");
  const sure = (metric: string, arrivals = "closed"): string =>
    textOf(howSureOf({ ...input, b: { ...input.b, arrivals }, metric: { ...input.metric, id: metric } }).sentence);
  expect(sure("throughput_lio")).toContain(" in throughput at 95 %");
  expect(sure("throughput_transactions")).toContain(" in logical reads at 95 %");
  expect(sure("throughput_transactions", "messages")).toContain(" in throughput at 95 %");
});

it("says of one scenario of which figures that known worst is told", () => {
  const sure = (report: string, arrivals = "closed"): string => {
    const b = { ...cagedValues, arrivals };
    return textOf(howSureOf(buildInput(report, report, { differs: [], b })).sentence);
  };
  const both = "lio 3.0M ±0.1%\n response 600";
  expect(sure(both)).toMatch(/^\[±0\.4 % at 95 % in the widest of throughput and mean response\], from /);
  // How long a message takes is not waited for.
  expect(sure(both, "messages")).toMatch(/^\[±0\.4 % at 95 % in throughput\], from /);
  const [answers, grows] = ["p99 12", "p99 12 grows 2.5"].map((row) => `\n service demand 0.6 ${row}`);
  expect(sure(both + answers!)).toContain(" in the widest of throughput, mean response and time to answer]");
  expect(sure(both + grows!)).toContain(" in the widest of throughput and mean response]");
  expect(sure(`lio 0\n response 0${answers!}`)).toContain(" in the widest of use of CPUs and time to answer]");
});
