import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measuredText, readMeasured } from "../../analysis";
import { readCsv } from "./csv";

/** As the link keeps it, or what is wrong. */
function read(text: string): string {
  const found = readCsv(text);
  return "wrong" in found ? found.wrong : measuredText(found.measured);
}

describe("tables of several hands", () => {
  it.each([
    ["commas", "sessions,LIO/s\n16,8100000\n32,15.8e6\n", "sessions/throughput_lio,16/8100000,32/15800000"],
    ["semicolons with decimal commas", "Sessions;M LIO/s;Response (ms)\r\n16;8,1;121,5\r\n", 
      "sessions/throughput_lio/response_mean_ms,16/8100000/121.5"],
    ["a spreadsheet's tabs", "users\ttps\tresponse_time_s\n8\t12,5\t0,25\n", 
      "sessions/throughput_transactions/response_mean_ms,8/12.5/250"],
    ["tabs with points", "load\tk lio/s\n8\t1500\n", "sessions/throughput_lio,8/1500000"],
    ["a mark of order, blank lines, quotes", "\uFEFF\n\"load\",\"transactions per second\"\n\n\"4\",\"40.5\"\n\n", 
      "sessions/throughput_transactions,4/40.5"],
    ["arrivals", "arrivals per s,latency ms\n40,18.7\n", "arrivals_per_s/response_mean_ms,40/18.7"],
  ])("%s", (_, text, points) => expect(read(text)).toBe(points));

  it("columns of no use are named", () => {
    expect(readCsv("sessions,host,tps\n1,a,2\n")).toMatchObject({ leftOut: ["host"] });
  });
});

const TAKES = "it takes sessions or arrivals/s; transactions/s or LIO/s; response ms or response s.";

it.each([
  ["x,y\n1,2\n", `No column says the load. The header is “x”, “y”; ${TAKES}`],
  ["sessions,y\n1,2\n", `No column says what was measured. The header is “sessions”, “y”; ${TAKES}`],
  ["sessions,response\n1,2\n", "“response”: in ms or in s? Write response ms or response s."],
  ["sessions,tps,tx/s\n1,2,3\n", "Two columns say throughput_transactions."],
  ["sessions,arrivals/s,tps\n1,2,3\n", "Two columns say the load: sessions or arrivals, not both."],
  ["sessions,tps\n", "There is a header, and no point below it."],
  ["sessions,tps\n1,2\n400,n/a\n", "Line 3: “n/a” is no number that can be measured."],
  ["sessions,tps\n1,2\n\n3\n", "Line 4: has 1 values for 2 columns."],
  ["sessions,tps\n1,-2\n", "Line 2: “-2” is no number that can be measured."],
  ["sessions;tps\n1;1.234,5\n", "Line 2: “1.234,5” is no number that can be measured."],
  ["sessions\tlio/s\n8\t1,500\n", "A comma may part thousands or decimals here: write 1500 or 1.5."],
])("refused by name: %j", (text, why) => expect(read(text)).toBe(why));

describe("of any table", () => {
  const rows = (count: number): string => Array.from({ length: count }, (_, i) => `${i + 1},${i * 2}`).join("\n");

  it("forty points are kept, and one more is refused", () => {
    expect(read(`sessions,tps\n${rows(40)}`)).toMatch(/,40\/78$/);
    expect(read(`sessions,tps\n${rows(41)}`)).toBe("41 points: a link keeps 40. Leave some out.");
  });

  it("the three ways of writing a table say the same, and the link says it again", () => {
    const whole = (max: number) => fc.integer({ min: 1, max });
    const row = fc.tuple(whole(5_000), whole(99_999), whole(9_999));
    fc.assert(fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (points) => {
      const table = (delimiter: string, sign: string): string =>
        [["sessions", "tps", "response s"], ...points.map(([x, y, z]) => [x, `${y}${sign}25`, `${z}${sign}5`])]
          .map((cells) => cells.join(delimiter)).join("\n");
      const said = points.map(([x, y, z]) => [x, y + 0.25, (z + 0.5) * 1_000]);
      for (const [delimiter, sign] of [[",", "."], [";", ","], ["\t", ","], ["\t", "."]] as const) {
        const found = readCsv(table(delimiter, sign));
        expect(found).toMatchObject({ measured: { rows: said } });
        const text = "wrong" in found ? "" : measuredText(found.measured);
        expect(readMeasured(text)?.rows.map(([x]) => x)).toEqual(points.map(([x]) => x));
      }
    }));
  });

  it("nothing is thrown, whatever is pasted", () => {
    fc.assert(fc.property(fc.string(), fc.constantFrom("", "sessions,tps\n", "sessions;LIO/s\n"), (any, head) => {
      const found = readCsv(head + any);
      const isRefused = "wrong" in found && found.wrong !== "";
      expect(isRefused || ("measured" in found && readMeasured(measuredText(found.measured)) !== null)).toBe(true);
    }));
  });
});

it.each([
  "", "sessions", "sessions/throughput_lio", "sessions/tps,1/2", "sessions/throughput_lio,1",
  "sessions/throughput_lio,1/x", "sessions/throughput_lio,1/-2", "sessions/throughput_lio/throughput_lio,1/2/3",
  "constructor/throughput_lio,1/2",
  "sessions/throughput_lio,1/0x10", "sessions/throughput_lio,1/1e999",
  `sessions/throughput_lio${",1/2".repeat(41)}`,
])("a link that says %j is refused", (text) => expect(readMeasured(text)).toBeNull());
