import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { consumerGroupsOf } from "../../analysis/sides/consumerGroups";
import { buildReport, estimate } from "../../testing/buildReport";
import { ConsumerGroups } from "./ConsumerGroups";

it("says of a group whose sessions only wait that none has ended", () => {
  const { report } = buildReport("running 100ms 6");
  const of = (name: string, isServed: boolean) => ({
    instance: 1, name, sessions: 16, transactions_per_s: estimate(isServed ? 87.2 : 0),
    response_ms: isServed ? estimate(184) : estimate(0), cpu: estimate(isServed ? 5.5 : 0), run_queue: estimate(0),
    waits: [{ event: "resmgr:cpu quantum", count: 0, mean_ms: estimate(0), aas: estimate(isServed ? 10.5 : 16) }],
  });
  const rows = consumerGroupsOf({ ...report, consumer_groups: [of("FAST", true), of("STARVED", false)] }) ?? [];
  const text = renderToStaticMarkup(<ConsumerGroups rows={rows} side="B" />).split("</tr>");
  expect([text[1], text[2]].map((row) => [row?.includes(">184<"), row?.includes("none ended")])).toEqual([
    [true, false], [false, true],
  ]);
  expect(text[2]).toContain("resmgr:cpu quantum 16.00");
});

it("has sessions on threads and in the run queue beneath their own heads", () => {
  const group = {
    instance: null, name: "FAST", sessions: 16, perSecond: 87, perSecondHalf: null, response_ms: 184,
    responseHalf_ms: null, onThread: 5.5, runQueue: 2.25, waits: [],
  };
  const text = renderToStaticMarkup(<ConsumerGroups rows={[group]} side="B" />);
  const heads = [...text.matchAll(/<th scope="col">([^<]*)/g)].map(([, head]) => head);
  const cells = [...text.matchAll(/<t[hd](?: scope="row")?>([^<]*)/g)].map(([, cell]) => cell);
  const under = (head: string) => cells[heads.indexOf(head)];
  expect(["Group", "Sessions", "On a thread", "Run queue"].map(under)).toEqual(["FAST", "16", "5.50", "2.25"]);
});
