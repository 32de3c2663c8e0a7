import { describe, expect, it } from "vitest";
import { answerOf, buildInput, cagedValues, curveFrom, pointOf, textOf, throughput } from "../../testing/buildInput";
import { fakeCatalogue } from "../../testing/fakeCatalogue";
import { buildReport } from "../../testing/buildReport";
import type { PointAnswer } from "../../engine";
import { pageOf } from "../page";
import type { AnalysisInput } from "../read/input";
import { scaleFor } from "../read/metrics";
import { aloneMs } from "../read/service";
import { accountingOf } from "../sides/accounting";
import { differencesOf } from "../sides/differences";
import { findingOf } from "../stories/finding";
import { curveTitle } from "./curveTitle";
import { curveOf } from "./curves";

const switches = { id: "switches_per_s", title: "Context switches", unit: "1/s", better: "down" } as const;
const growth = { id: "service_backlog_growth_per_s", title: "Growth", unit: "1/s", better: "down" } as const;
const seen = (text: string) => text.replaceAll("\u00a0", " ");

function curve(values: readonly (number | null)[]): NonNullable<AnalysisInput["curveB"]> {
  const point = (mean: number | null): PointAnswer => ({
    ...pointOf(1e6), metric: mean === null ? null : { mean, ci95: null, reps: [] },
  });
  return { coarse: new Map(), fine: new Map(values.map((value, i) => [i + 1, point(value)])) };
}

describe("any metric upwards", () => {
  it("leaves a gap where the metric does not apply", () => {
    expect(
      curveOf(curve([5, null, 7]), "switches_per_s", scaleFor("1/s", 7)).map(({ x, y, ci95 }) => [x, y, ci95]),
    ).toEqual([
      [1, 5, null], [3, 7, null],
    ]);
  });
  it("gives a difference in percent where there are ratios, else in the unit", () => {
    const [a, b] = [curve([10, 0, 0]), curve([5, 0, 3])];
    expect(differencesOf(a, b, "switches_per_s", scaleFor("1/s", 10)).map(({ x, value }) => [x, value])).toEqual([
      [1, -50], [2, 0],
    ]);
    expect(differencesOf(a, b, growth.id, scaleFor("1/s", 10)).map(({ value }) => value)).toEqual([-5, 0, 3]);
  });
  it("tells a percentile's difference as that of the two shown, in the unit, with the interval of the pairs", () => {
    const of = (mean: number, reps: readonly number[]): NonNullable<AnalysisInput["curveB"]> => ({
      coarse: new Map(), fine: new Map([[1, { ...pointOf(1e6), precision: null, metric: { mean, ci95: null, reps } }]]),
    });
    const [point] = differencesOf(
      of(10, [8, 9, 10]), of(4000, [3000, 3200, 3400]), "service_p99_ms", scaleFor("ms", 4000),
    );
    expect(point?.value).toBe(3990);
    expect(point?.ci95).toBeCloseTo(494, 0);
  });
  it("keeps published points to the metric they are in, on the preset's own knob", () => {
    const published = (more: Partial<AnalysisInput>) => pageOf(buildInput("", "", more)).curve.published.length;
    expect([
      published({}), published({ metric: switches }),
      published({ xAxis: { knob: "cpu_count", words: null, from: 1, to: 8, scale: "linear", grid: [] } }),
    ]).toEqual([1, 0, 0]);
  });
});

describe("a published point", () => {
  const labels = (more: Partial<AnalysisInput>) =>
    pageOf(buildInput("", "", more)).curve.published.map(({ label, hasMoved }) => [label, hasMoved]);
  it("says so where knobs have moved that were others in the test", () => {
    const [[plain]] = labels({}) as [[string, boolean]];
    expect(labels({ moved: ["sessions"] })).toEqual([[plain, false]]);
    expect(labels({ moved: ["cpu_count", "sessions"] })).toEqual([[plain, false]]);
    expect(labels({ moved: ["sockets"] })).toEqual([[`${plain}, before sockets moved`, true]]);
    expect(labels({ moved: ["sockets"], differs: ["resource_manager_plan", "lio_us"] })).toEqual([
      [`${plain}, before 2 knobs moved`, true],
    ]);
  });
});

describe("the title of a curve says the answer", () => {
  const title = (values: readonly (number | null)[], more: Partial<AnalysisInput>) => {
    const input = buildInput("", "", { metric: switches, curveB: curve(values), differs: [], ...more });
    const model = pageOf(input).curve;
    return seen(curveTitle(input, model, { kind: "settled", precision: 0.01, asked: 0.03 }));
  };
  it.each([
    [[10, 11, 20, 40], "Switches grow ×4, nearly all past 2 sessions"],
    // A straight line bends nowhere, nor does one that is hardly bent.
    [[10, 20, 30, 40, 50, 60, 70], "Switches grow ×7"],
    [[10, 15, 25, 40, 60, 85], "Switches grow ×8.5"],
    [[45, 46, 47, 49, 53, 70, 130], "Switches grow ×2.9, nearly all past 5 sessions"],
    [[40, 20, 10, 10], "Switches fall from 40 to 10 a second"],
    [[40, 40, 40, 40], "Switches stay near 40 a second up to 4 sessions"],
    [[1, 40, 10, 2], "Switches are highest at 2 sessions: 40 a second"],
    // Ends next to one another are no fall and no growth.
    [[693, 720, 700, 689], "Switches are highest at 2 sessions: 720 a second"],
    [[689, 700, 600, 693], "Switches are lowest at 3 sessions: 600 a second"],
  ])("%j: %s", (values, words) => expect(title(values, {})).toBe(words));
  it.each([
    [[0.0344, 0.0344, 0.0344, 0.0344], "Runs stay near 34.4 ms up to 4 sessions"],
    [[0.01, 0.4, 0.1, 0.02], "Runs are highest at 2 sessions: 400 ms"],
    [[2, 1, 0.5, 0.5], "Runs fall from 2 s to 500 ms"],
    [[65, 65, 65, 65], "Runs stay near 65 s up to 4 sessions"],
  ])("seconds %j in the unit that fits: %s", (values, words) => {
    const metric = { id: "run_s", title: "Runs", unit: "s", better: "down" } as const;
    expect(title(values, { metric })).toBe(words);
  });
  it("speaks of one thing in the singular", () => {
    const metric = { id: "dispatch_delay_mean_us", title: "Delay", unit: "µs", better: "down" } as const;
    expect(title([1, 40, 10, 2], { metric })).toBe("Dispatch delay is highest at 2 sessions: 40 µs");
  });
  it("is of the points that were reached, and says where these end", () => {
    const cut = curve([45, 46, 47, 70, 130, 200]);
    const points = [...cut.fine].map(([x, point]): [number, PointAnswer] => [x, { ...point, truncated: x > 4 }]);
    const told = title([], { curveB: { ...cut, fine: new Map(points) } });
    expect(told).toBe("Switches grow ×1.6 by 4 sessions, nearly all past 3");
    // A place between whole numbers has as many digits as any.
    const apart = points.map(([x, point]): [number, PointAnswer] => [173.5 * x, point]);
    expect(title([], { curveB: { ...cut, fine: new Map(apart) } }))
      .toBe("Switches grow ×1.6 by 694 sessions, nearly all past 521");
    const fallen = points.map(([x, point]): [number, PointAnswer] => {
      const mean = 50 - 10 * x;
      return [x, { ...point, metric: { mean, ci95: null, reps: [] } }];
    });
    expect(title([], { curveB: { ...cut, fine: new Map(fallen) } })).toBe(
      "Switches fall from 40 to 10 a second by 4 sessions",
    );
  });
  it("says from where on there is such a figure, and that there is none", () => {
    const grid = [1, 2, 3, 4];
    const xAxis = { knob: "sessions", words: null, from: 1, to: 4, scale: "linear", grid } as const;
    expect(title([null, null, 10, 10], { xAxis })).toBe("Switches stay near 10 a second from 3 sessions on");
    const none = (name: string) =>
      title([null, null, null, null], { xAxis, metric: { ...growth, id: "none", title: name }, curveA: null });
    expect(["buffer busy waits, mean", "Queries", "Response time of queries, mean"].map(none)).toEqual([
      "No buffer busy waits are seen", "No queries are seen", "No response time of queries is seen",
    ]);
  });
  it("waits for both ends of the sweep", () => {
    const xAxis = { knob: "sessions", words: null, from: 1, to: 8, scale: "linear", grid: [1, 2, 4, 8] } as const;
    const titleWith = (grid: readonly number[], kind: "settled" | "refining"): string => {
      const input = buildInput("", "", {
        metric: switches, curveB: curve([10, 11, 20, 40]), differs: [], xAxis: { ...xAxis, grid },
        areCurvesOver: kind === "settled",
      });
      return seen(curveTitle(input, pageOf(input).curve, { kind, precision: 0.01, asked: 0.03 }));
    };
    expect(titleWith([1, 2, 3, 4, 8], "refining")).toBe("Switches");
    expect(titleWith([0, 1, 2, 3, 4], "refining")).toBe("Switches");
    expect(titleWith([1, 2, 3, 4], "refining")).toBe("Switches grow ×4, nearly all past 2 sessions");
    expect(titleWith([1, 2, 3, 4, 8], "settled")).toBe("Switches grow ×4, nearly all past 2 sessions");
  });
  it("says of which part the knob is", () => {
    const [preset] = fakeCatalogue.presets;
    if (preset === undefined) throw new Error("no preset");
    const on = (knob: string, nodes: number, instances: number[]): string =>
      title([10, 11, 20, 40], {
        preset: { ...preset, nodes, instances },
        xAxis: { knob, words: null, from: 1, to: 8, scale: "linear", grid: [] },
      });
    const second = "Switches grow ×4, nearly all past 2 sessions in instance 2";
    expect(on("sessions@instance2", 1, [1, 1])).toBe(second);
    expect(on("cpu_count@instance2", 2, [1, 2])).toContain("past cpu_count 2 on host 2");
    expect(on("priority@session@instance2", 1, [1, 1])).toContain("past priority@session 2 in instance 2");
    // Along the number of nodes each point has its own.
    expect(on("cpu_count", 2, [1, 2])).toMatch(/^Both hosts: /);
    expect(on("cluster_nodes", 2, [1, 2])).toMatch(/^All hosts: /);
  });
  it("names the best word and the worst", () => {
    const xAxis = {
      knob: "os_scheduler", words: ["none", "CFS", "EEVDF", "fifo"], from: 0, to: 3, scale: "linear", grid: [],
    } as const;
    expect(title([40, 20, 10], { xAxis })).toBe("Switches: 10 a second with fifo, 40 with CFS");
    const metric = { id: "on_cpu", title: "Sessions on CPU", unit: "sessions", better: "neither" } as const;
    expect(title([0.7, 1], { xAxis, metric })).toBe("Sessions on CPU: 1 session with EEVDF, 0.7 with CFS");
    // Apart by more than one in two hundred, and yet the same as shown.
    const alike = "Sessions on CPU: no difference shown by os_scheduler, 1 session";
    expect(title([0.9995, 1.0046], { xAxis, metric })).toBe(alike);
  });
});

describe("A at another place than B", () => {
  const differs = ["sessions", "cpu_count"];
  const at = { a: { ...cagedValues, sessions: 1, cpu_count: 4 }, b: { ...cagedValues, sessions: 3 } };
  const curves = { curveA: curve([10, 11, 20, 40]), curveB: curve([10, 11, 20, 80]), metric: switches };
  it("has no difference along the axis: two curves at one place are not what is compared", () => {
    const of = (more: Partial<AnalysisInput>) =>
      pageOf(buildInput("", "", { ...at, ...curves, differs, ...more })).curve;
    const apart = of({ xA: 1 });
    expect([apart.xA, apart.difference, apart.even]).toEqual([1, [], []]);
    const beside = of({ xA: 3, differs: ["cpu_count"] });
    expect([beside.xA, beside.difference.length]).toEqual([null, 4]);
  });
  it("names lines by what else differs, and not at all where nothing does", () => {
    const of = (more: Partial<AnalysisInput>): string[] => {
      const { alongA, alongB, nameB } = pageOf(buildInput("", "", { ...at, ...curves, xA: 1, ...more })).curve;
      return [alongA, alongB, seen(nameB)];
    };
    expect(of({ differs })).toEqual(["cpu_count 4", "cpu_count 8", "3 sessions, cpu_count 8"]);
    expect(of({ differs: ["sessions"] })).toEqual(["", "", "3 sessions"]);
    const xAxis = { knob: "sessions@instance2", words: null, from: 1, to: 8, scale: "linear", grid: [] } as const;
    expect(of({ differs: ["sessions"], xAxis })).toEqual(["", "", "3 sessions"]);
  });
  it("names the curves without the knob of the axis", () => {
    const input = buildInput("", "", { ...at, ...curves, differs, xA: 1, metric: throughput });
    const a = [3, 4, 3, 2, 1].map((y, x) => ({ x, y, ci95: 0, reps: [], truncated: false }));
    const falling = { ...pageOf(input).curve, a };
    expect(seen(curveTitle(input, falling, { kind: "settled", precision: 0.01, asked: 0.03 }))).toBe(
      "With cpu_count 4, throughput keeps falling past 1 session",
    );
  });
});

describe("the title of throughput", () => {
  const title = (a: string, b: string): string => {
    const [curveA, curveB] = [a === "" ? null : curveFrom(a), curveFrom(b)];
    const differs = a === "" ? ["sessions"] : ["resource_manager_plan"];
    const input = buildInput("", "", { curveA, curveB, differs, metric: throughput });
    return seen(curveTitle(input, pageOf(input).curve, { kind: "settled", precision: 0.01, asked: 0.03 }));
  };
  const uncaged = "1:0.6 8:3.60 9:3.57 16:3.4 24:3.3 32:3.2 48:3.02";
  const caged = "1:0.6 8:3.60 9:3.35 16:3.35 24:3.35 32:3.35 48:3.35";
  it.each([
    // The cage steps down past 8, and A keeps falling.
    [uncaged, caged, "Without the cage, throughput keeps falling past 8 sessions"],
    [caged, uncaged, "With cpu_count 8, throughput keeps falling past 8 sessions"],
    [uncaged, uncaged, "Throughput keeps falling past 8 sessions"],
    ["", caged, "Throughput stays near 3.35 M LIO/s from 9 sessions"],
    ["1:0.6 8:3.6 9:3.58 16:3.6 24:3.6 32:3.6 48:3.6", caged,
      "With cpu_count 8, throughput stays near 3.35 M LIO/s from 9 sessions"],
    // Both keep falling from the later place on.
    ["1:0.6 8:3.60 9:3.5 16:3.4 24:3.3 32:3.2 48:3.02", "1:0.6 8:3.0 9:3.1 16:3.5 24:3.6 32:3.4 40:3.2 48:3.02",
      "Throughput keeps falling past 24 sessions"],
    // What A does not do is told of B; what both do, of both.
    ["1:0.6 8:3.6 9:3.7 16:3.9", "1:0.6 8:3.6 9:3.7 16:3.5", "With cpu_count 8, throughput is highest at 9 sessions"],
    ["1:0.6 8:3.5 9:3.6 16:3.4", "1:0.6 8:3.6 9:3.7 16:3.5", "Throughput is highest at 9 sessions"],
    ["1:0.6 8:3.3 9:3.3 16:3.3 32:3.3", "1:0.6 8:3.5 9:3.5 16:3.5 32:3.5",
      "Throughput stays near 3.5 M LIO/s from 8 sessions"],
    ["1:0.6 8:3.0 9:3.0 16:3.0 32:3.0", "1:0.6 8:3.5 9:3.5 16:3.5 32:3.5",
      "With cpu_count 8, throughput stays near 3.5 M LIO/s from 8 sessions"],
    ["", "1:0.6 8:3.6 9:3.5 16:3.6", "Throughput still rises at 16 sessions"],
    ["1:0.6 8:3.6 9:3.7 48:4", "1:0.6 8:3.6 9:3.7 48:3.9", "Throughput still rises at 48 sessions"],
    ["", "1:0.6 8:3.6 9:3.7 16:3.5", "Throughput is highest at 9 sessions"],
    ["", "8:3.6", "Throughput: 3.6 M LIO/s at 8 sessions"],
  ])("A %s, B %s: %s", (a, b, words) => expect(title(a, b)).toBe(words));
});

describe("a figure of which nothing is seen", () => {
  const none = curve([null, null, null]);
  const title = (id: string, name: string, more: Partial<AnalysisInput>, kind: "settled" | "refining" = "settled") => {
    const metric = { id, title: name, unit: "ms", better: "down" } as const;
    const input = buildInput("", "", { metric, curveB: none, differs: [], ...more });
    return seen(curveTitle(input, pageOf(input).curve, { kind, precision: 0.01, asked: 0.03 }));
  };
  const sync = ["log_file_sync_ms", "log file sync, mean"] as const;
  it("is told by the title of its empty chart, once all has run", () => {
    expect(title(...sync, {})).toBe("No log file sync is seen: no session waits for a commit");
    expect(title("stall_ms", "Stall for a checkpoint, mean", {})).toBe("No stall for a checkpoint is seen");
    const xAxis = { ...buildInput("", "").xAxis, grid: [1, 2, 3, 4] };
    expect(title(...sync, { xAxis }, "refining")).toBe("");
    expect([title(...sync, { curveB: null }), title(...sync, { curveB: curve([]) })]).toEqual(["", ""]);
  });
  it("is told of B alone where A has it", () =>
    expect(title(...sync, { curveA: curve([1, 2, 3]), differs: ["cpu_count"] })).toBe(
      "With cpu_count 8, no log file sync is seen: no session waits for a commit",
    ));
});

it("a time that is none anywhere is of what does not happen", () => {
  const metric = { id: "gc_cr_receive_ms", title: "Receive time of a CR block", unit: "ms", better: "down" } as const;
  const title = (ys: readonly number[]) => {
    const input = buildInput("", "", { metric, curveA: curve([...ys]), curveB: curve([...ys]), differs: [] });
    return seen(curveTitle(input, pageOf(input).curve, { kind: "settled", precision: 0.01, asked: 0.03 }));
  };
  expect(title([0, 0, 0, 0])).toMatch(/no receive time of a CR block is seen$/i);
  expect(title([0, 0, 1, 2])).not.toMatch(/is seen/);
});

describe("a queue without bound", () => {
  const metric = { id: "service_p99_ms", title: "Response of the server, p99", unit: "ms", better: "down" } as const;
  // Where a queue grows the precision is of other figures than how long the run was.
  const along = (text: string): NonNullable<AnalysisInput["curveB"]> => ({
    coarse: new Map(),
    fine: new Map(text.split(" ").map((word, i): [number, PointAnswer] => {
      const mean = Number(word.replace("!", ""));
      const precision = word.endsWith("!") ? 0.004 : 0.02;
      return [i + 1, { ...pointOf(1e6), precision, metric: { mean, ci95: 0.02 * mean, reps: [mean, mean] } }];
    })),
  });
  const pageAlong = (text: string, more: Partial<AnalysisInput> = {}) =>
    pageOf(buildInput("", "", { metric, curveB: along(text), differs: [], ...more })).curve;
  it("has no percentile: its curve ends, the title says where, and there is no difference", () => {
    const [b, a] = [along("4 5 9 4000! 3900!"), along("4 4 4 4 5")];
    const curve = pageAlong("", { curveA: a, curveB: b, differs: ["class@service"] });
    expect([curve.b.length, curve.endlessB, curve.endlessA]).toEqual([3, [4, 5], []]);
    expect(curve.difference.map(({ x }) => x)).toEqual([1, 2, 3]);
    expect(seen(pageAlong("4 5 9 4000! 3900!").title)).toBe("Answer p99 grows ×2.3, without bound from 4 sessions");
    expect(seen(pageAlong("4 4 4000! 3900!").title)).toBe(
      "Answer p99 stays near 4 ms up to 2 sessions, without bound from 3 sessions",
    );
    expect(seen(pageAlong("4000! 9 6 5").title)).toBe("Answer p99 falls from 9 to 5 ms, without bound up to 1 session");
    expect(seen(pageAlong("4 4000!").title)).toBe("Answer p99: 4 ms at 1 session, without bound from 2 sessions");
    expect(pageAlong("4000! 3900!").title).toBe("Answer p99 has no bound");
    expect(pageAlong("4 5 9 20").title).not.toMatch(/bound/);
  });
  it("is told at the handle before the whole curve is known, and of words beside the best", () => {
    const grid = { ...buildInput("", "").xAxis, grid: [1, 2, 3] };
    expect(seen(pageAlong("4 4000!", { xAxis: grid, xHandle: 2 }).title)).toBe("Answer p99 has no bound at 2 sessions");
    const words = { ...grid, knob: "class@service", words: ["", "FIFO", "FX", "TS"], grid: [] };
    expect(seen(pageAlong("4 5 4000!", { xAxis: words }).title)).toBe("Answer p99: 4 ms with FIFO, no bound with TS");
  });
});

describe("a server among hogs", () => {
  const values = {
    ...cagedValues, resource_manager_plan: "none", service_per_s: 300, service_us: 2000,
    service_distribution: "constant",
  };
  const compare = (a: string, b: string) =>
    findingOf(
      buildInput(a, b, {
        a: { ...values, "class@service": "FIFO" }, b: { ...values, "class@service": "TS" }, differs: ["class@service"],
      }),
    );
  it("tells a queue that grows from one that does not", () => {
    const { headline, why } = compare(
      "service demand 0.6 mean 3.6 p99 11.1", "service demand 0.6 mean 900 p99 4000 answered 180 grows 120",
    );
    expect(seen(headline)).toBe(
      "With class TS the server’s queue grows without bound at 32 sessions; with class FIFO, 99 % are answered "
        + "within about 11.1 ms",
    );
    expect(textOf(why)).toBe(
      "The server asks for 0.60 of a CPU. With class FIFO [its mean answer takes 3.6 ms]. With class TS [it answers "
        + "180 of 300 a second]. Alone on a CPU, theory gives 3.5 ms.",
    );
  });
  it("leaves the word to the sessions where both answer alike", () => {
    expect(compare("service demand 0.1 mean 2 p99 4", "service demand 0.1 mean 2 p99 4.2").headline).not.toMatch(
      /answer|queue/,
    );
  });
  it.each([
    ["constant", 3.5], ["exponential", 5], ["hyperexponential", 9.5],
  ])("knows by theory what %s requests take alone: %f ms", (shape, ms) => {
    expect(aloneMs({ ...values, service_distribution: shape })).toBeCloseTo(ms, 9);
  });
  it("knows that periodic requests wait for nobody where all take as long, and of others nothing", () => {
    const periodic = { ...values, service_arrivals: "periodic" };
    expect(aloneMs(periodic)).toBe(2);
    expect(aloneMs({ ...periodic, service_distribution: "exponential" })).toBeNull();
  });
  it("tells what theory gives of B where it is not A's", () => {
    const told = (a: string, b: string) => {
      const [of, other] = [{ ...values, service_arrivals: a }, { ...values, service_arrivals: b }];
      const rows = "service demand 0.6 mean 2.1 p99 11.1";
      const sides = { a: of, b: other, differs: ["cpu_count"] };
      return textOf(findingOf(buildInput(rows, rows.replace("11.1", "2.2"), sides)).why);
    };
    expect(told("poisson", "periodic")).toMatch(/ Alone on a CPU, theory gives 2 ms with cpu_count 8\.$/);
    expect(told("periodic", "periodic")).toMatch(/ Alone on a CPU, theory gives 2 ms\.$/);
  });
  it("knows that no CPU is enough for more than one", () =>
    expect(aloneMs({ ...values, service_per_s: 500 })).toBeNull());
});

describe("CPU in every way of counting", () => {
  it("speaks of blocks where there are any: processes that send messages share data", () => {
    const told = (arrivals: string) => {
      const [a, b] = [{ ...smt, core_coherence: 0, arrivals }, { ...smt, arrivals }];
      return textOf(findingOf(buildInput(before, after, { a, b, differs: ["core_coherence"] })).why);
    };
    expect(told("closed")).toContain("shared blocks");
    expect(told("messages")).toMatch(/^(?!.*shared blocks).*shared data/);
  });
  const smt = {
    ...cagedValues, resource_manager_plan: "none", threads_per_core: 4, core_coherence: 0.05, sessions: 40,
    os_scheduler: "AIX",
  };
  const text = "running 100ms 40.0\n cpu on 40 time 40 purr 10\n node threads 40 useful 40";
  const before = `${text}\n lio 3.135M\n ledger capacity 40\n ledger work 16\n ledger siblings 24`;
  const after = `${before.replace("3.135M", "3.0M").replace("work 16", "work 15.311")}\n ledger shared 0.689`;
  it("says what PURR would make of it, and what is", () => {
    const { why } = findingOf(
      buildInput(before, after, { a: { ...smt, core_coherence: 0 }, b: smt, differs: ["core_coherence"] }),
    );
    expect(textOf(why)).toBe(
      "Slowing by shared blocks: [−4.3 points]. Blocks that cores share make a read 4.5 % longer. " +
        "ASH has 40 sessions on CPU, PURR 10 cores. CPU wait from PURR would be 30; [there is none]. " +
        "Next to nobody waits.",
    );
  });
  it("says nothing of PURR where no system counts by it", () => {
    const linux = { ...smt, os_scheduler: "CFS" };
    const sides = { a: { ...linux, core_coherence: 0 }, b: linux, differs: ["core_coherence"] };
    expect(textOf(findingOf(buildInput(before, after, sides)).why)).not.toContain("PURR");
    expect(accountingOf(buildInput(text, text, { a: linux, b: linux }))).toBeNull();
  });
  it("has a table only where threads share cores", () => {
    const model = accountingOf(buildInput(text, text, { a: smt, b: smt }));
    expect(model?.rows.map(({ name, b }) => `${name}: ${seen(b)}`)).toEqual([
      "ASH, sessions on CPU: 40.00 ±0.04", "Time, threads: 40.00 ±0.04", "PURR, cores: 10.00 ±0.01",
      "CPU wait, ASH − time: 0.00", "wrongly, ASH − PURR: 30.00",
    ]);
    expect(
      accountingOf(buildInput(text, text, { a: { ...smt, threads_per_core: 1 }, b: { ...smt, threads_per_core: 1 } })),
    ).toBeNull();
  });
});

it("tells who changes socket, and what each instance gains", () => {
  const report = (moves: number, gain: number, scatter = 0, starts = 8, others = 1) => {
    const built = buildReport(
      `metric socket_migrations_per_s ${moves}\n running 2ms 30\n node threads 88 useful 30\n lio ${3 * gain}M ±0.1%
        ledger capacity 88\n ledger work ${30 * gain}\n ledger no_work 50\n ledger shared ${38 - 30 * gain}`,
    );
    const [one] = built.report.instances;
    if (one === undefined) throw new Error("no instance");
    const { mean, reps } = one.transactions_per_s;
    const scaled = {
      ...one.transactions_per_s, mean: one.transactions_per_s.mean * gain,
      reps: one.transactions_per_s.reps.slice(0, starts).map(
        (rep, i) => rep * gain * (1 + (i % 2 === 0 ? scatter : -scatter)),
      ),
    };
    const report = {
      ...built.report,
      instances: [
        { ...one, transactions_per_s: scaled },
        { ...one, transactions_per_s: { ...scaled, mean: mean * others, reps: reps.map((x) => x * others) } },
      ],
    };
    return { ...answerOf(""), report };
  };
  const values = { ...cagedValues, resource_manager_plan: "none", affinity: "soft" };
  const why = (scatter: number, starts = 8, others = 1): string =>
    textOf(findingOf(buildInput("", "", {
      fullA: report(813, 1), fullB: report(0, 1.05, scatter, starts, others), b: values,
      a: { ...values, affinity: "none" }, differs: ["affinity"], metric: throughput,
    })).why);
  const moves =
    "Processes change last-level cache [813 times a second] with no affinity, [hardly ever] with soft affinity.";
  expect(why(0)).toContain(`${moves} Transactions of the instances: [+10 % and +5.0 %].`);
  // 10 ± 4.4 and 5 % have nothing in common; of 10 ± 5.9 and 5 % nobody knows which gains more.
  expect(why(0.045)).toContain("Transactions of the instances: [+10 % and +5.0 %].");
  expect(why(0.06)).toContain(moves);
  expect(why(0.06)).not.toContain("Transactions of the instances");
  // One gains what another loses: the sum says nothing of that, so it stands first, however many the causes are.
  expect(why(0, 8, 0.7)).toMatch(/^Transactions of the instances: \[\+10 % and −26 %\]\. /);
  expect(why(0, 8, 0.945)).not.toMatch(/^Transactions/);
  // Of one that was run once nobody knows what it gains.
  expect(why(0, 1)).toContain(moves);
  expect(why(0, 1)).not.toContain("Transactions of the instances");
});
