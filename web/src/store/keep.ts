/** Makes what is kept of a preset: asks the engine what the page asks while a hand moves, and notes what is shown. */
import { eventsIn, findingIn, readingOf } from "../analysis";
import type { Catalogue, Engine, Outcome, RunTask } from "../engine";
import { itemOf } from "./effects";
import type { Kept, KeptPoint } from "./kept";
import { reduce } from "./reducer";
import { selectInput } from "./selectors";
import { initialState, type AppState } from "./state";
import { keysOf } from "./keys";
import { nameOf, wantedOf } from "./wanted";

/** Digits that a kept number has; the figures of a sketch are known to three. */
const DIGITS = 5;

const rounded = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)));

function run(engine: Engine, tasks: readonly RunTask[]): Promise<readonly Outcome[]> {
  const ended: Outcome[] = [];
  return new Promise((resolve) => {
    engine.submit(tasks, (batch) => {
      ended.push(...batch.filter(({ kind }) => kind !== "progress"));
      if (ended.length === tasks.length) resolve(ended);
    });
  });
}

function pointsOf({ results }: AppState, curve: string, metric: string): readonly KeptPoint[] {
  const points = [...(results.curves.get(curve)?.coarse ?? [])].toSorted(([x], [other]) => x - other);
  return points.flatMap(([x, point]): KeptPoint[] => {
    const read = readingOf(point, metric);
    return read === null ? [] : [[x, read.mean, read.ci95, point.precision, ...read.reps]];
  });
}

/** As JSON text. Throws where a request fails, or where what is shown is no JSON. */
export async function keep(engine: Engine, catalogue: Catalogue, preset: string): Promise<string> {
  const plain = reduce(initialState(catalogue), { type: "presetChosen", preset });
  const keys = keysOf(plain);
  const hand = { id: "", before: 0, pair: plain };
  const wanted = new Map(wantedOf({ ...plain, inHand: hand }, keys).map((one) => [nameOf(one), one]));
  const tasks = [...wanted].map(([key, { query, options }]) => ({ key, query, options }));
  const items = (await run(engine, tasks)).flatMap((outcome) => {
    const one = wanted.get(outcome.key);
    if (outcome.kind === "failed" || one === undefined) throw new Error(`${preset}: ${JSON.stringify(outcome)}`);
    return itemOf(one, outcome);
  });
  const state = reduce(plain, { type: "resultsArrived", items });
  const input = selectInput(state);
  const curves = [keys.curveB, keys.curveA, ...keys.family.map(({ curve }) => curve)];
  const kept: Kept = {
    metric: keys.metric.id, fullA: keys.fullA, fullB: keys.fullB,
    curves: Object.fromEntries(curves.map((curve) => [curve, pointsOf(state, curve, keys.metric.id)])),
    finding: findingIn(input), events: eventsIn(input),
  };
  return JSON.stringify(kept, (_, value: unknown) => {
    if (typeof value !== "number") return value;
    if (!Number.isFinite(value)) throw new Error(`${preset}: a kept number is ${value}`);
    return rounded(value);
  });
}
