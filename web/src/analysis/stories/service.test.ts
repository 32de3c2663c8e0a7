/** What a server was asked for, what it answers, and by what its queue grows. */
import { expect, it } from "vitest";
import type { FullAnswer, Report } from "../../engine";
import { answerOf, buildInput, cagedValues, textOf } from "../../testing/buildInput";
import { findingOf } from "./finding";
import { howSureOf } from "./howSure";

it.each([
  ["answered 197 grows 101", "it answers 197 of 300 a second", "by 101 requests a second"],
  ["answered 24.918 grows 275.5", "it answers 24.9 of 300 a second", "by 276 requests a second"],
])("%s: as many answers as were counted, whatever chance did to the growth", (row, words, growth) => {
  const b = { ...cagedValues, service_per_s: 300 };
  const input = buildInput("", `lio 3M\n node threads 2\n service demand 0.6 p99 900 ${row}`, { b, differs: [] });
  expect(textOf(findingOf(input).why)).toContain(`Here [${words}]. `);
  expect(textOf([{ text: findingOf(input).headline }])).toContain(growth);
});

it("counts all servers of a host, who share alike", () => {
  const values = (of: string): typeof cagedValues => ({
    ...cagedValues, service_per_s: 300, service_servers: 2, "class@service": of,
  });
  const side = (row: string): FullAnswer => {
    const answer = answerOf(`lio 3M\n node threads 2\n service demand 1.2 ${row}`);
    const processes = [["session", 4], ["service", 2]].map(([kind, count]) => ({ kind, count, node: 1 }));
    return { ...answer, report: { ...answer.report, processes: processes as unknown as Report["processes"] } };
  };
  const input = {
    ...buildInput("", "", { a: values("TS"), b: values("FIFO"), differs: ["class@service"] }),
    fullA: side("p99 900 answered 330 grows 270"), fullB: side("p99 9"),
  };
  const why = textOf(findingOf(input).why);
  expect(why).toContain(
    "The two servers ask for 1.20 CPUs; an equal share of two threads among six processes gives them 0.67. ",
  );
  expect(why).toContain("they answer 330 of 600 a second");
  expect(why).toContain("their mean answer takes");
  const grows = { ...input, fullB: input.fullA };
  expect(textOf([{ text: findingOf(grows).headline }])).toContain("The servers’ queues grow");
});

it("tells each side's servers by its own number", () => {
  const side = (count: number): typeof cagedValues => ({ ...cagedValues, service_per_s: 300, service_servers: count });
  const row = (demand: number, rest: string): string => `lio 3M\n node threads 2\n service demand ${demand} ${rest}`;
  const [two, one] = [row(1.2, "p99 900 answered 330 grows 269"), row(0.6, "p99 900 answered 197 grows 101")];
  const input = buildInput(two, one, { a: side(2), b: side(1), differs: ["service_servers"] });
  const { headline, why } = findingOf(input);
  expect(headline).toMatch(
    /^The servers’ queues grow at .* either way: with .* by 269 requests a second, .* by 101$/,
  );
  const told = textOf(why);
  expect(told).toMatch(/^With .* it asks for 0\.60 of a CPU[.;] /);
  expect(told).toMatch(/With .* .they answer .* of 600 a second.*With .* .it answers .* of 300 a second/);
  expect(told).toContain("Each alone on a CPU");
  const swapped = findingOf(buildInput(one, two, { a: side(1), b: side(2), differs: ["service_servers"] }));
  expect(textOf(swapped.why)).toMatch(/^With .* they ask for 1\.20 CPUs[.;] /);
  // What is told of B alone has B's number.
  const fast = row(1.2, "p99 9");
  const own = findingOf(buildInput(fast, one, { a: side(2), b: side(1), differs: ["service_servers"] })).headline;
  expect(own).toMatch(/^With .* the server’s queue grows without bound/);
  const { sentence } = howSureOf(input);
  expect(textOf(sentence)).toContain(" Of the servers with ");
});

it("an equal share is told only where somebody has one", () => {
  const told = (both: Readonly<Record<string, number | string>>): string => {
    const sides = [-20, 0].map((nice) => ({ ...cagedValues, service_per_s: 300, "nice@service": nice, ...both }));
    const row = "lio 3M\n node threads 2\n service demand 0.6 p99 9";
    const input = buildInput(row, `${row}9`, { a: sides[0]!, b: sides[1]!, differs: ["nice@service"] });
    const { report } = input.fullB!;
    const processes = [["session", 4], ["service", 1]].map(([kind, count]) => ({ kind, count, node: 1 }));
    const fullB = { ...input.fullB!, report: { ...report, processes: processes as unknown as Report["processes"] } };
    return textOf(findingOf({ ...input, fullB }).why);
  };
  expect(told({ cgroup: "none", "cpus_allowed@service": "all", kind_cpu_weight: 0 })).toContain(
    "an equal share of two threads among five processes is 0.40. ",
  );
  for (const set of [
    { cgroup: "own" }, { "cgroup@instance2": "own" }, { "kind_cpu_weight@session": 20 },
    { "nice@session": 19 }, { "cpus_allowed@session": "0" },
    // Who thinks or waits for storage asks for less; of those that come and go only some are there at a time.
    { think_time_ms: 60 }, { workload: "oltp" }, { arrivals: "open" },
  ]) expect(told(set)).not.toContain("equal share");
});

it("an interval of a tail that rounds to nought is not told as one", () => {
  const input = buildInput("", "lio 3M\n node threads 2\n service demand 0.6 p99 9", {
    b: { ...cagedValues, service_per_s: 300 }, differs: [],
  });
  const { report } = input.fullB!;
  const services = report.services.map((row) => ({
    ...row, response_ms: { ...row.response_ms, p99: 2.06, p99_ci95: 0.001 },
  }));
  const of = { ...input, fullB: { ...input.fullB!, report: { ...report, services } } };
  expect(textOf([{ text: findingOf(of).headline }])).toContain("answered within 2.06 ms ±<1 %");
  expect(textOf(howSureOf(of).sentence)).toContain("its 99th percentile to ±<1 %.");
});
