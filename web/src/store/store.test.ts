import { describe, expect, it } from "vitest";
import type { Engine, Outcome, RunTask } from "../engine";
import { fakeCatalogue } from "../testing/fakeCatalogue";
import { buildReport } from "../testing/buildReport";
import { openEngine } from "../testing/directEngine";
import type { Clock } from "./effects";
import { memoryLink } from "./linkPort";
import { selectFault, selectInput, selectPage, timelineInput } from "./selectors";
import { createAppStore, type AppStore } from "./store";
import { plainView } from "./urlState";
import { keysOf } from "./keys";
import { selectIsBusy, selectWork } from "./work";

/** An engine that answers nothing until told to, and keeps a diary. */
class SlowEngine implements Engine {
  readonly catalogue = fakeCatalogue;
  readonly diary: string[] = [];
  jobs: { tasks: readonly RunTask[]; deliver: (batch: readonly Outcome[]) => void; isCancelled: boolean }[] = [];

  texts() {
    return Promise.reject(new Error("not asked in these tests"));
  }

  kept() {
    return Promise.resolve(null);
  }

  describe(): Promise<never> {
    return Promise.reject(new Error("not asked in these tests"));
  }
  submit(tasks: readonly RunTask[], deliver: (batch: readonly Outcome[]) => void): { cancel(): void } {
    const job = { tasks, deliver, isCancelled: false };
    this.jobs.push(job);
    return { cancel: () => void (job.isCancelled = true) };
  }
  setHand(hand: string): void {
    this.diary.push(hand);
  }
  close(): void {
    this.diary.push("closed");
  }
  get last(): (typeof this.jobs)[number] {
    const job = this.jobs.at(-1);
    if (job === undefined) throw new Error("no job");
    return job;
  }
  answerPoint(at: number, precision = 0.01): void {
    const task = this.last.tasks[at];
    if (task === undefined) throw new Error("no task");
    this.last.deliver([{ kind: "point", key: task.key, point: withOther(task, pointAnswer(precision)) }]);
  }
}

function pointAnswer(precision: number) {
  return {
    lioPerS: 1e6, lioCi95: 1, lioReps: [1e6], responseMs: 1, responseCi95: 1, responseReps: [1], metric: null,
    precision, events: 1, truncated: false, elapsedMs: 1,
  };
}

/** What a pair answers: both halves alike. */
function withOther<T extends object>({ options }: { options: { against?: string } }, answer: T): T {
  return options.against === undefined ? answer : { ...answer, other: answer };
}

class HandClock implements Clock {
  time = 0;
  private readonly timers: { at: number; callback: () => void }[] = [];
  now(): number {
    return this.time;
  }
  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.time + ms, callback };
    this.timers.push(timer);
    return () => void this.timers.splice(this.timers.indexOf(timer), 1);
  }
  pass(ms: number): void {
    this.time += ms;
    for (const timer of this.timers.filter(({ at }) => at <= this.time)) {
      this.timers.splice(this.timers.indexOf(timer), 1);
      timer.callback();
    }
  }
}

function open(hash = ""): {
  store: AppStore;
  engine: SlowEngine;
  link: ReturnType<typeof memoryLink>;
  clock: HandClock;
} {
  const engine = new SlowEngine();
  const link = memoryLink(hash);
  const clock = new HandClock();
  return { store: createAppStore(engine, link, plainView, fakeCatalogue, clock), engine, link, clock };
}

const drag = (value: number) => ({ type: "knobChanged", id: "sessions", value, phase: "drag" }) as const;
const commit = (value: number) => ({ type: "knobChanged", id: "sessions", value, phase: "commit" }) as const;

describe("what is run", () => {
  it("begins with the point in view, then a sketch of every curve from there outwards, then both full runs, all "
    + "coarse first", () => {
    const { engine } = open();
    const tasks = engine.last.tasks.map(
      ({ query, options }) => `${options.goal} ${options.coarse ? "coarse" : "fine"} ${query}`,
    );
    expect(tasks.slice(0, 3)).toEqual([
      "point coarse instance-caging-vm?sessions=32",
      "point coarse instance-caging-vm?resource_manager_plan=none&sessions=32",
      expect.stringMatching(/^point coarse instance-caging-vm\?sessions=3\d$/),
    ]);
    const sketches = tasks.findIndex((task) => task.startsWith("full"));
    expect(tasks.slice(0, sketches)).toHaveLength(9 * 6 + 2);
    expect(tasks.slice(sketches, sketches + 2)).toEqual([
      "full coarse instance-caging-vm", "full coarse instance-caging-vm?resource_manager_plan=none",
    ]);
    const firstFine = tasks.findIndex((task) => task.includes(" fine "));
    expect(tasks.slice(0, firstFine).filter((task) => task.startsWith("point coarse"))).toHaveLength(9 * 6 + 2);
    expect(tasks.filter((task) => task.startsWith("point fine"))).toHaveLength(29 + 9);
    expect(tasks.filter((task) => task.startsWith("full fine"))).toEqual(["full fine instance-caging-vm"]);
    const pairs = engine.last.tasks.filter(({ options }) => options.against !== undefined);
    expect(pairs).toHaveLength(29 + 9 + 1);
    expect(pairs[0]?.options.against).toBe("instance-caging-vm?resource_manager_plan=none&sessions=32");
  });

  it("refines of the family only the points whose sketch was not precise enough", () => {
    const { engine, store } = open();
    const curve = keysOf(store.getState()).family[0]?.curve ?? "";
    const first = engine.last;
    for (let at = 0; at < first.tasks.length; at++) {
      const { key, options } = first.tasks[at] ?? { key: "", options: { goal: "point" as const } };
      if (options.goal === "full")
        first.deliver([
          {
            kind: "full", key,
            full: withOther({ options }, { report: buildReport("").report, data: new Float64Array(), elapsedMs: 1 }),
          },
        ]);
      else engine.answerPoint(at, key.includes(`${curve} x=5`) ? 0.2 : 0.01);
    }
    expect(engine.last).not.toBe(first);
    expect(engine.last.tasks.map(({ query, options }) => `${options.coarse ? "coarse" : "fine"} ${query}`)).toEqual([
      "fine instance-caging-vm?cpu_count=1&sessions=5",
    ]);
  });

  it("refines nothing while dragging, and gives a core back to the page", () => {
    const { store, engine } = open();
    store.dispatch(drag(31));
    engine.answerPoint(0);
    engine.answerPoint(1);
    expect(engine.last.tasks.every((task) => task.options.coarse)).toBe(true);
    expect(engine.diary.at(-1)).toBe("dragging");
  });

  it("lets the first point of one value come in before a newer value takes over", () => {
    const { store, engine, clock } = open();
    store.dispatch(drag(20));
    const job = engine.last;
    store.dispatch(drag(19));
    clock.pass(100);
    store.dispatch(drag(18));
    expect(engine.last).toBe(job);
    engine.answerPoint(0);
    engine.answerPoint(1);
    expect(job.isCancelled).toBe(true);
    expect(engine.last.tasks[0]?.query).toBe("instance-caging-vm?sessions=18");
  });

  it("asks for no curve again when only the sessions move", () => {
    const { store, engine } = open();
    const before = keysOf(store.getState());
    store.dispatch(commit(9));
    expect(keysOf(store.getState())).toMatchObject({ curveA: before.curveA, curveB: before.curveB });
    expect(engine.last.tasks[0]?.query).toBe("instance-caging-vm?sessions=9");
  });

  it("records the shown side at length for the timeline, and nothing for curves", () => {
    const { store, engine } = open();
    store.dispatch({ type: "viewChosen", view: "timeline" });
    store.dispatch({ type: "timelineSideChosen", side: "a" });
    const told = engine.last.tasks.map(
      ({ query, options }) => `${options.goal} ${options.coarse ? "coarse" : "fine"} ${options.record} ${query}`,
    );
    expect(told.slice(0, 2)).toEqual([
      "full coarse 131072 instance-caging-vm?resource_manager_plan=none", "full coarse 4096 instance-caging-vm",
    ]);
    expect(told.some((one) => one.startsWith("point"))).toBe(false);
    expect(timelineInput(store.getState())).toBeNull();
    const answer = { ...buildReport("lio 2M"), elapsedMs: 1 };
    for (const { key, options } of engine.last.tasks)
      if (options.record > 4_096) engine.last.deliver([{ kind: "full", key, full: answer }]);
    expect(timelineInput(store.getState())).toMatchObject({ report: answer.report, isStale: false });
    store.dispatch({ type: "timelineSideChosen", side: "b" });
    expect(timelineInput(store.getState())?.isStale).toBe(true);
  });

  it("asks what the answer hangs on by elapsed time once sessions of both sides are known to end", () => {
    const { store, engine } = open();
    const hinge = () => engine.last.tasks.filter(({ options, query }) =>
      options.against !== undefined && query.includes("switch_refill_us="));
    const metrics = () => new Set(hinge().map(({ options }) => options.metric));
    const answer = (key: string, metric: string | undefined) => {
      const point = { ...pointAnswer(0.01), metric: metric === undefined ? null : { mean: 3, ci95: 1, reps: [3] } };
      return { kind: "point", key, point: { ...point, other: point } } as const;
    };
    expect([hinge().length, metrics()]).toEqual([9, new Set([undefined])]);
    // Some came in before it was known: they say nothing of elapsed time.
    engine.last.deliver(hinge().slice(0, 4).map(({ key }) => answer(key, undefined)));
    const steady = { ...buildReport(""), elapsedMs: 1 };
    const ended = { ...steady, report: { ...steady.report, ended: [{ sessions: 32 }] as never } };
    const pair = engine.last.tasks.find(({ options }) => options.goal === "full" && options.against !== undefined);
    const deliver = (b: object, a: object) =>
      engine.last.deliver([{ kind: "full", key: pair!.key, full: { ...steady, ...b, other: { ...steady, ...a } } }]);
    deliver(ended, steady);
    expect(metrics()).toEqual(new Set([undefined]));
    deliver(ended, ended);
    expect([hinge().length, metrics()]).toEqual([9, new Set(["elapsed_s"])]);
    engine.last.deliver(hinge().map(({ key, options }) => answer(key, options.metric)));
    expect(selectInput(store.getState()).hinge.map(({ a, b }) => [a?.metric?.mean, b?.metric?.mean]))
      .toEqual(Array.from({ length: 9 }, () => [3, 3]));
  });

  it("stops at a scenario that the simulation refuses, in its words", () => {
    const { store, engine } = open();
    const [first] = engine.last.tasks;
    const error = { code: "scenario", message: "sessions and arrivals disagree.", field: "sessions" } as const;
    engine.last.deliver([{ kind: "failed", key: first?.key ?? "", error, scenario: "s", seed: 42 }]);
    expect(engine.last.isCancelled).toBe(true);
    expect(store.getState().view.linkError).toBe("B: sessions and arrivals disagree.");
    store.dispatch(commit(9));
    expect(store.getState().view.linkError).toBeNull();
    expect(engine.last.isCancelled).toBe(false);
  });

  it("says of which side that is which is refused, unless both have the value", () => {
    const told = (field: string | null, message: string, isPair = false): string | null => {
      const { store, engine } = open();
      const { fullA } = keysOf(store.getState());
      const task = engine.last.tasks.find(({ options, query }) => options.goal === "full" && (isPair
        ? options.against !== undefined : options.against === undefined && fullA.startsWith(`${query} `)));
      const error = { code: "scenario", message, field } as const;
      engine.last.deliver([{ kind: "failed", key: task!.key, error, scenario: "s", seed: 42 }]);
      return store.getState().view.linkError;
    };
    expect(told(null, "no time was simulated")).toBe("A: no time was simulated");
    expect(told("resource_manager_plan", "resource_manager_plan is none")).toBe("A: resource_manager_plan is none");
    expect(told("sessions", "sessions is 32, too many")).toBe("sessions is 32, too many");
    expect(told("sessions", "sessions asks for more than there is")).toBe("A: sessions asks for more than there is");
    expect(told(null, "B: its queue grows", true)).toBe("B: its queue grows");
  });

  it("tells what refuses the scenario, not a place on the axis that came first with the same batch", () => {
    const { store, engine } = open();
    const { fullA } = keysOf(store.getState());
    const failed = (find: (task: RunTask) => boolean, message: string): Outcome => {
      const error = { code: "scenario", message, field: null } as const;
      return { kind: "failed", key: engine.last.tasks.find(find)!.key, error, scenario: "s", seed: 42 };
    };
    engine.last.deliver([
      failed(({ options, query }) => options.goal === "point" && query.includes("cpu_count=1"), "elsewhere"),
      failed(({ options, query }) => options.goal === "full" && fullA.startsWith(`${query} `), "of all"),
    ]);
    expect(store.getState().view.linkError).toBe("A: of all");
  });

  it("leaves out a point that failed, says which, and is done with it", () => {
    const { store, engine } = open();
    const job = engine.last;
    const task = job.tasks.find(({ options, query }) => options.goal === "point" && query.includes("cpu_count=1"));
    const error = { code: "trap", message: "unreachable", field: null } as const;
    job.deliver([{ kind: "failed", key: task?.key ?? "", error, scenario: task?.query ?? "", seed: 42 }]);
    expect(store.getState()).toMatchObject({ failure: null, leftOut: [task?.key] });
    expect(store.getState().notice).toBe(`One point of the curves failed and is left out: ${task?.query}, seed 42.`);
    expect(engine.last).toBe(job);
  });

  it("leaves out a place that is refused, though answers that come with it ask for others at once", () => {
    const { store, engine } = open();
    const job = engine.last;
    const refused = job.tasks.find(({ options, query }) => options.goal === "point" && query.includes("cpu_count=1"));
    const error = { code: "scenario", message: "nothing would run", field: null } as const;
    const full = { ...buildReport("lio 2M"), elapsedMs: 1 };
    job.deliver(
      job.tasks.map((task): Outcome => {
        const { key, options, query } = task;
        if (task === refused) return { kind: "failed", key, error, scenario: query, seed: 42 };
        return options.goal === "full"
          ? { kind: "full", key, full: withOther(task, full) }
          : { kind: "point", key, point: withOther(task, pointAnswer(0.5)) };
      }),
    );
    expect(engine.last).not.toBe(job);
    expect(store.getState()).toMatchObject({ isRefused: false, leftOut: [refused?.key], view: { linkError: null } });
    expect(engine.last.tasks.length).toBeGreaterThan(0);
    expect(engine.last.isCancelled).toBe(false);
  });

  it("keeps the last answer when a whole run fails, with what to copy", () => {
    const { store, engine } = open();
    const task = engine.last.tasks.find(({ options }) => options.goal === "full");
    const error = { code: "trap", message: "unreachable", field: null } as const;
    engine.last.deliver([{ kind: "failed", key: task?.key ?? "", error, scenario: task?.query ?? "", seed: 42 }]);
    expect(selectPage(store.getState()).stage).toEqual({
      kind: "failed", message: "The run stopped with a fault in the simulation.",
    });
    expect(selectFault(store.getState())).toBe("trap: unreachable\nscenario instance-caging-vm\nseed 42");
    store.dispatch({ type: "runAgain" });
    expect(engine.last.tasks.some(({ key }) => key === task?.key)).toBe(true);
  });

  it("computes nothing twice: undo finds what is known", async () => {
    const engine = openEngine();
    let asked = 0;
    const submit = engine.submit.bind(engine);
    engine.submit = (tasks, deliver) => ((asked += tasks.length), submit(tasks, deliver));
    const store = createAppStore(engine, memoryLink("#v1/no-cage"));
    const settled = async (): Promise<void> => {
      while ((store.getState().results.fulls.get(keysOf(store.getState()).fullB)?.fine ?? null) === null)
        await new Promise((r) => setTimeout(r, 5));
      await new Promise((resolve) => setTimeout(resolve, 200));
    };
    await settled();
    store.dispatch({ type: "knobChanged", id: "cpu_count", value: 4, phase: "commit" });
    await settled();
    asked = 0;
    store.dispatch({ type: "undo" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).toBe(0);
    store.close();
  });
});

describe("the address bar", () => {
  it("gets one entry for a drag, brought up to date a few times a second", () => {
    const { store, link, clock } = open();
    for (let value = 31; value > 1; value--) {
      store.dispatch(drag(value));
      clock.pass(16);
    }
    store.dispatch(commit(1));
    clock.pass(1000);
    expect(link.entries).toEqual(["", "#v1/instance-caging-vm?sessions=1"]);
  });

  it("leads back, and an edit after that forks", () => {
    const { store, link, clock } = open();
    store.dispatch(commit(9));
    store.dispatch(commit(12));
    link.back();
    expect(store.getState().base).toEqual({ sessions: 9 });
    clock.pass(1000);
    store.dispatch(commit(20));
    expect(link.entries).toEqual(["", "#v1/instance-caging-vm?sessions=9", "#v1/instance-caging-vm?sessions=20"]);
  });

  it("opens the default where the first link is broken, and says so", () => {
    const { store } = open("#v1/instance-caging-vm?sessions=lots");
    expect(store.getState()).toMatchObject({ preset: "instance-caging-vm", base: {} });
    expect(store.getState().view.linkError).toContain("sessions is a number");
  });

  it("takes the theme along without a new entry", () => {
    const { store, link, clock } = open();
    store.dispatch({ type: "themeChosen", theme: "dark" });
    clock.pass(1000);
    expect(link.entries).toEqual(["#v1/instance-caging-vm?view.theme=dark"]);
  });
});

describe("stopping", () => {
  it("cancels what is under way, asks for nothing until it goes on, and then only for what is missing", () => {
    const { store, engine } = open();
    const asked = engine.last.tasks.map(({ key }) => key);
    engine.answerPoint(0);
    store.dispatch({ type: "runsStopped" });
    expect(engine.last.isCancelled).toBe(true);
    const jobs = engine.jobs.length;
    expect([selectIsBusy(store.getState()), selectWork(store.getState())?.isStopped]).toEqual([false, true]);
    store.dispatch({ type: "themeChosen", theme: "dark" });
    store.dispatch({ type: "titleChanged", title: "Stopped" });
    expect(engine.jobs.length).toBe(jobs);
    store.dispatch({ type: "runsResumed" });
    expect(engine.last.tasks.map(({ key }) => key)).toEqual(asked.slice(1));
    expect(selectWork(store.getState())).toMatchObject({ done: 1, isStopped: false });
  });
  it.each([
    { type: "knobChanged", id: "cpu_count", value: 4, phase: "commit" }, { type: "axesChosen", x: "cpu_count" },
    { type: "viewChosen", view: "timeline" }, { type: "presetChosen", preset: "no-cage" }, { type: "runAgain" },
    { type: "timelineSideChosen", side: "a" },
  ] as const)("ends with the next that is asked for: %o", (action) => {
    const { store, engine } = open();
    store.dispatch({ type: "runsStopped" });
    const jobs = engine.jobs.length;
    store.dispatch(action);
    expect(engine.jobs.length).toBe(jobs + 1);
    expect(engine.last.tasks.length).toBeGreaterThan(0);
  });
  it("opens the scenario that a link names where a value of it cannot be", () => {
    const { store } = open("#v1/no-cage?sessions=zero&cpu_count=4");
    expect(store.getState()).toMatchObject({ preset: "no-cage", base: {}, past: [] });
    expect(store.getState().view.linkError).toMatch(/sessions is a number.*Shown instead: No cage at all\./);
    expect(open("#v1/no-such").store.getState().preset).toBe("instance-caging-vm");
  });
  it("says what is under way, and nothing once all is known", async () => {
    const store = createAppStore(openEngine(), memoryLink("#v1/no-cage"));
    expect(selectWork(store.getState())).toMatchObject({ what: "a first sketch of the curves", done: 0 });
    await new Promise<void>((resolve) => {
      const stop = store.subscribe(() => {
        if (selectWork(store.getState()) !== null) return;
        stop();
        resolve();
      });
    });
    expect(selectIsBusy(store.getState())).toBe(false);
    store.close();
  });
});
