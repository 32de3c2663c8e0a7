import { expect, it } from "vitest";
import { eventsIn, findingIn } from "../analysis";
import type { Engine } from "../engine";
import { openEngine } from "../testing/directEngine";
import { fakeCatalogue } from "../testing/fakeCatalogue";
import { keep } from "./keep";
import type { Kept } from "./kept";
import { memoryLink } from "./linkPort";
import { selectInput, selectPage } from "./selectors";
import { createAppStore, type AppStore } from "./store";

const PRESET = "instance-caging-vm";

/** An engine that has sketches by preset, and hands on what its runs answer when it is told to. */
class Waiting {
  readonly asked: string[] = [];
  private readonly real = openEngine();
  private readonly held: (() => void)[] = [];
  readonly engine: Engine;

  constructor(sketches: Readonly<Record<string, unknown>>) {
    this.engine = {
      catalogue: fakeCatalogue,
      texts: () => Promise.reject(new Error("not asked")),
      kept: (preset) => {
        this.asked.push(preset);
        return preset in sketches ? Promise.resolve(sketches[preset]) : Promise.reject(new Error("not there"));
      },
      describe: () => Promise.reject(new Error("not asked")),
      submit: (tasks, deliver) =>
        this.real.submit(tasks, (batch) => batch.forEach((one) => this.held.push(() => deliver([one])))),
      setHand: () => undefined,
      close: () => this.real.close(),
    };
  }

  /** Lets through what has come in, one by one, until `enough`. */
  async answer(enough: (state: ReturnType<AppStore["getState"]>) => boolean, store: AppStore): Promise<void> {
    while (!enough(store.getState())) {
      const next = this.held.shift();
      if (next === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      else next();
    }
  }
}

const sketch = async (): Promise<Kept> => JSON.parse(await keep(openEngine(), fakeCatalogue, PRESET)) as Kept;

async function opened(hash = `#v1/${PRESET}`): Promise<{ waiting: Waiting; store: AppStore; kept: Kept }> {
  const kept = await sketch();
  const waiting = new Waiting({ [PRESET]: kept });
  const store = createAppStore(waiting.engine, memoryLink(hash));
  await store.ready;
  return { waiting, store, kept };
}

it("what was kept is the first picture: curves, finding and events, before anything has run", async () => {
  const { store, kept } = await opened();
  const page = selectPage(store.getState());
  expect(page.stage.kind).toBe("kept");
  const places = kept.curves[`${kept.fullB.replace("sessions=32", "")} by=sessions`]?.map(([x]) => x);
  expect(page.curve.b.map(({ x }) => x)).toEqual(places);
  expect(page.curve.a).toHaveLength(29);
  expect(page.curve.family.map(({ label }) => label)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  expect(page.finding).toEqual(kept.finding);
  expect(page.finding.isSaid).toBe(false);
  expect(eventsIn(selectInput(store.getState()))).toEqual(kept.events);
  expect(page.trust).toBeNull();
  store.close();
});

it("the sketch that is run here takes its place without a jump, both sides at once", async () => {
  const { waiting, store, kept } = await opened();
  const before = selectPage(store.getState());
  const fulls = (state: ReturnType<AppStore["getState"]>): number =>
    [...state.results.fulls.values()].filter(({ coarse }) => coarse !== null).length;
  await waiting.answer((state) => fulls(state) === 1, store);
  expect(selectPage(store.getState()).stage.kind).toBe("kept");
  expect(selectPage(store.getState()).finding).toBe(before.finding);
  await waiting.answer((state) => fulls(state) === 2, store);
  const input = selectInput(store.getState());
  const after = selectPage(store.getState());
  expect(after.stage.kind).toBe("coarse");
  expect(after.curve.title).toBe(before.curve.title);
  expect(findingIn(input)).toEqual(kept.finding);
  for (const side of ["a", "b"] as const)
    for (const [i, point] of after.curve[side].entries())
      expect(Math.abs(point.y / (before.curve[side][i]?.y ?? 0) - 1), `${side} at ${point.x}`).toBeLessThan(1e-4);
  store.close();
});

it("what has run here stands over what was kept, point by point", async () => {
  const kept = await sketch();
  const twice = Object.entries(kept.curves).map(([key, points]) =>
    [key, points.map(([x, mean, ...rest]) => [x, 2 * mean, ...rest])] as const,
  );
  const waiting = new Waiting({ [PRESET]: { ...kept, curves: Object.fromEntries(twice) } });
  const store = createAppStore(waiting.engine, memoryLink(`#v1/${PRESET}`));
  await store.ready;
  const at = (x: number): number => selectPage(store.getState()).curve.b.find((point) => point.x === x)?.y ?? 0;
  const [before, elsewhere] = [at(32), at(8)];
  const key = `${kept.fullB.replace("sessions=32", "")} by=sessions`;
  await waiting.answer((state) => state.results.curves.get(key)?.coarse.has(32) === true, store);
  expect(at(32) / before).toBeCloseTo(0.5, 3);
  expect(at(8)).toBe(elsewhere);
  store.close();
});

it("nothing of it counts as run: all of the sketch is asked for here", async () => {
  const tasks = async (sketches: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
    const waiting = new Waiting(sketches);
    const asked: string[] = [];
    const { engine: own } = waiting;
    const engine: Engine = {
      ...own,
      submit: (list, deliver) => {
        asked.push(...list.map(({ key }) => key));
        return own.submit(list, deliver);
      },
    };
    const store = createAppStore(engine, memoryLink(`#v1/${PRESET}`));
    await store.ready;
    store.close();
    return asked;
  };
  const without = await tasks({});
  expect(without.length).toBeGreaterThan(60);
  expect(await tasks({ [PRESET]: await sketch() })).toEqual(without);
});

it("of another scenario, seed, axis or figure it says nothing", async () => {
  for (const hash of [`#v1/${PRESET}?lio_us=3`, `#v1/${PRESET}?seed=7`, `#v1/${PRESET}?y=response_mean_ms`]) {
    const { store } = await opened(hash);
    const page = selectPage(store.getState());
    expect([hash, page.stage.kind, page.finding.headline, page.curve.b.length]).toEqual([hash, "empty", "", 0]);
    store.close();
  }
});

it("a hand on the handle keeps the curves, which stand at every place, and lets go of the finding", async () => {
  const { store } = await opened();
  store.dispatch({ type: "knobChanged", id: "sessions", value: 9, phase: "drag" });
  const page = selectPage(store.getState());
  expect([page.stage.kind, page.finding.headline, page.curve.x]).toEqual(["empty", "", 9]);
  expect(page.curve.b.find(({ x }) => x === 9)).toBeDefined();
  store.close();
});

it("each preset is asked for once, when it is first shown; one that is not there is as before", async () => {
  const { waiting, store } = await opened();
  const other = fakeCatalogue.presets.find(({ id }) => id !== PRESET)?.id ?? "";
  for (const preset of [other, PRESET, other]) store.dispatch({ type: "presetChosen", preset });
  await Promise.resolve();
  expect(waiting.asked).toEqual([PRESET, other]);
  expect(selectPage(store.getState()).stage.kind).toBe("empty");
  store.close();
});
