import { describe, expect, it } from "vitest";
import type { Engine, Outcome, RunTask, Texts } from "../engine";
import { buildReport } from "../testing/buildReport";
import { fakeCatalogue, fakeTexts } from "../testing/fakeCatalogue";
import { memoryLink } from "./linkPort";
import { selectFigures } from "./selectors";
import { createAppStore, type AppStore } from "./store";

const claim = { kind: "value", uncertainty: 0.5 } as const;
const rest = { value: 3, claim, unit: "×", role: "prediction", tolerance: null, unmet: null, note: "" } as const;
const published: Texts["published"] = [
  { ...rest, id: "one", what: "one", query: "instance-caging-vm", against: null, reading: "lio_millions" },
  {
    ...rest, id: "two", what: "two", query: "instance-caging-vm", against: "instance-caging-vm?sessions=8",
    reading: "lio_ratio",
  },
  { ...rest, id: "three", what: "three", query: "no-cage", against: null, reading: "lio_millions" },
];

interface Given {
  readonly tasks: readonly RunTask[];
  readonly deliver: (batch: readonly Outcome[]) => void;
  isCancelled: boolean;
}

function answer({ key, options }: RunTask): Outcome {
  const { report } = buildReport("lio 3M");
  const both = <T extends object>(one: T): T => (options.against === undefined ? one : { ...one, other: one });
  if (options.goal === "full")
    return { kind: "full", key, full: both({ report, data: new Float64Array(), elapsedMs: 1 }) };
  const point = {
    lioPerS: 3e6, lioCi95: 1, lioReps: [3e6], responseMs: 1, responseCi95: 1, responseReps: [1], metric: null,
    precision: 0.01, events: 1, truncated: false, elapsedMs: 1,
  };
  return { kind: "point", key, point: both(point) };
}

/** Opens the list, and the second experiment in it. */
function show(store: AppStore): void {
  store.dispatch({ type: "publishedOpened" });
  store.dispatch({ type: "publishedTurned", preset: "no-cage" });
}

/** The jobs given, each of which answers when told to. */
function open(): { store: AppStore; jobs: Given[]; last: () => Given; finish: () => void } {
  const jobs: Given[] = [];
  const engine: Engine = {
    catalogue: fakeCatalogue,
    texts: () => Promise.resolve({
      published, snapshots: [], cache_snapshots: [], listings: [], terms: [], works: [], notes: {},
      questions: {}, knobs: {},
    }),
    kept: () => Promise.resolve(null),
    describe: () => Promise.reject(new Error("not asked in these tests")),
    submit: (tasks, deliver) => {
      const runs = tasks.flatMap((task) => ("fit" in task ? [] : [task]));
      const job: Given = { tasks: runs, deliver, isCancelled: false };
      jobs.push(job);
      return { cancel: () => void (job.isCancelled = true) };
    },
    setHand: () => undefined,
    close: () => undefined,
  };
  const last = (): Given => jobs.at(-1) ?? { tasks: [], deliver: () => undefined, isCancelled: false };
  const store = createAppStore(engine, memoryLink(""), undefined);
  const texts = {
    published, snapshots: [], cache_snapshots: [], listings: [], terms: [], works: [], notes: {},
    questions: {}, knobs: {},
  };
  store.dispatch({ type: "textsArrived", texts });
  return { store, jobs, last, finish: () => last().deliver(last().tasks.map(answer)) };
}

const queries = (job: Given): string[] =>
  job.tasks.map(({ query, options }) => `${options.goal} ${options.precision} ${query}`);
const cells = (store: AppStore): string[] =>
  selectFigures(store.getState()).groups.flatMap(({ rows }) =>
    rows.map(({ simulated }) => simulated.replace("\u00a0", " ")),
  );
const FIGURE_RUNS = ["full 0.01 instance-caging-vm", "full 0.01 instance-caging-vm?sessions=8", "full 0.01 no-cage"];

describe("the runs behind published figures", () => {
  it("wait for the page's own, then run each scenario once", () => {
    const { store, jobs, last, finish } = open();
    show(store);
    expect(jobs).toHaveLength(1);
    expect(cells(store)).toEqual(["running", "running", "running"]);
    finish();
    expect(queries(last())).toEqual(FIGURE_RUNS);
    const [first] = last().tasks;
    if (first !== undefined) last().deliver([answer(first)]);
    expect(cells(store)).toEqual(["3.000 ×", "running", "running"]);
    expect(selectFigures(store.getState()).ended).toBe("");
    expect(selectFigures(store.getState()).progress).toEqual({ done: 1, all: 3 });
    finish();
    expect(cells(store)).toEqual(["3.000 ×", "1.000 ×", "3.000 ×"]);
    expect(selectFigures(store.getState()).ended).toMatch(/^All 3 /);
    expect(selectFigures(store.getState()).progress).toBeNull();
    expect(jobs).toHaveLength(2);
  });

  it("make way when the page has something to run, and come back for the rest", () => {
    const { store, jobs, last, finish } = open();
    finish();
    show(store);
    const figures = last();
    figures.deliver(figures.tasks.slice(0, 1).map(answer));
    store.dispatch({ type: "knobChanged", id: "sessions", value: 9, phase: "commit" });
    expect(figures.isCancelled).toBe(true);
    expect(jobs).toHaveLength(4);
    finish();
    expect(queries(last())).toEqual(FIGURE_RUNS.slice(1));
  });

  it("end with the list, which keeps what it knows and tries again what failed", () => {
    const { store, jobs, last, finish } = open();
    finish();
    show(store);
    const error = { code: "trap", message: "fell over", field: null } as const;
    last().deliver([{ kind: "failed", key: "no-cage", error, scenario: "no-cage", seed: 42 }]);
    expect(cells(store)).toEqual(["running", "running", "failed"]);
    last().deliver(last().tasks.slice(0, 1).map(answer));
    store.dispatch({ type: "publishedClosed" });
    expect(last().isCancelled).toBe(true);
    show(store);
    expect(queries(last())).toEqual(FIGURE_RUNS.slice(1));
    finish();
    store.dispatch({ type: "publishedClosed" });
    show(store);
    expect(jobs).toHaveLength(5);
  });

  it("are as precise as a figure asks for", () => {
    const { store, last, finish } = open();
    finish();
    const query = "instance-caging-vm?precision=0.001";
    const precise = published.slice(0, 2).map((figure, i) => (i === 0 ? { ...figure, query } : figure));
    store.dispatch({ type: "textsArrived", texts: { ...fakeTexts, published: precise } });
    show(store);
    expect(queries(last())[0]).toBe(`full 0.001 ${query}`);
    expect(queries(last()).slice(1)).toEqual(FIGURE_RUNS.slice(0, 2));
  });
});
