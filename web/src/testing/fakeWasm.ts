/**
 * A stand-in for the simulation, with the same exports and closed forms inside: enough to test everything around it.
 * Scenario texts may misbehave on purpose: `trap=1` throws something that is not JSON.
 */
import { asKnobValue, findKnob, findPreset, type Catalogue, type KnobValue } from "../engine/catalogue";
import type { RunOptions } from "../engine/protocol";
import type { WasmFit, WasmModule, WasmRun } from "../engine/wasmModule";
import { buildReport } from "./buildReport";
import { fakeCatalogue } from "./fakeCatalogue";

const REPLICATIONS = 8;

function refuse(code: string, message: string, field: string): never {
  throw new Error(JSON.stringify({ code, message, field }));
}

function resolve(catalogue: Catalogue, query: string): Record<string, KnobValue> {
  const [name = "", text = ""] = query.split("?");
  const preset = findPreset(catalogue, name);
  if (preset === null) return refuse("unknown-preset", `There is no preset “${name}”.`, "preset");
  const values: Record<string, KnobValue> = {};
  for (const knob of catalogue.knobs) values[knob.id] = asKnobValue(knob.default);
  for (const [key, value] of Object.entries(preset.set)) values[key] = asKnobValue(value);
  for (const [key, value] of new URLSearchParams(text)) {
    if (key === "trap") throw new Error("unreachable executed");
    const knob = findKnob(catalogue, key);
    if (knob === null) refuse("unknown-knob", `There is no knob “${key}”.`, key);
    else values[key] = knob.kind === "choice" || knob.kind === "vector" ? value : Number(value);
  }
  return values;
}

/** Closed forms: SMT fills cores first, a cage idles one tick a quantum, an open queue pays for each switch. */
export function closedForm(values: Readonly<Record<string, KnobValue>>): { lioPerS: number; responseMs: number } {
  const number = (id: string): number => Number(values[id]);
  const cores = number("sockets") * number("cores_per_socket");
  const threads = cores * number("threads_per_core");
  const sessions = number("sessions");
  const isCaged = values["resource_manager_plan"] !== "none";
  const slots = isCaged ? Math.min(number("cpu_count"), threads) : threads;
  const busy = Math.min(sessions, slots);
  const work = Math.min(busy, cores) + 0.5 * Math.max(0, busy - cores);
  const sliceMs = Math.max(3, (24 * threads) / sessions);
  const switchMs = (number("switch_refill_us") + number("switch_direct_us")) / 1000;
  const isOverloaded = sessions > slots;
  const kept = !isOverloaded ? 1 : isCaged ? 100 / 110 : sliceMs / (sliceMs + switchMs);
  const lioPerS = (work * kept * 1e6) / number("lio_us");
  return { lioPerS, responseMs: (1000 * sessions * number("lio_per_transaction")) / lioPerS };
}

/** Between −1 and 1, the same for the same numbers. */
function noise(seed: number, replication: number): number {
  return Math.sin(seed * 12.9898 + replication * 78.233);
}

class FakeRun implements WasmRun {
  private done = 0;
  private readonly budget: number;
  private readonly lio: number[];
  private readonly response: number[];
  private readonly query: string;
  private readonly options: RunOptions;
  private readonly values: Record<string, KnobValue>;
  /** What it is compared with. */
  private readonly other: FakeRun | null;

  constructor(query: string, optionsJson: string) {
    this.query = query;
    const { against, ...options } = JSON.parse(optionsJson) as RunOptions;
    this.options = options;
    this.other = against === undefined ? null : new FakeRun(against, JSON.stringify(options));
    this.values = resolve(fakeCatalogue, query);
    const { lioPerS, responseMs } = closedForm(this.values);
    this.budget = this.options.coarse ? 2_000 : 20_000;
    const spread = this.options.coarse ? 0.03 : 0.005;
    const about = (mean: number): number[] =>
      Array.from({ length: REPLICATIONS }, (_, i) => mean * (1 + spread * noise(this.options.seed, i)));
    this.lio = about(lioPerS);
    this.response = about(responseMs);
  }

  advance(maxEvents: number): Float64Array {
    this.other?.advance(maxEvents);
    this.done = Math.min(this.budget, this.done + maxEvents);
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const precision = this.options.coarse ? 0.05 : 0.01 * Math.sqrt(this.budget / this.done);
    const isDone = this.done >= this.budget ? 1 : 0;
    const lio = mean(this.lio);
    return Float64Array.of(isDone, this.done, precision, lio, lio * precision, 10, mean(this.response), 1, 80, 0);
  }

  otherProgress(): Float64Array {
    return this.other?.advance(0) ?? new Float64Array();
  }

  reps(ofA: boolean): Float64Array {
    if (ofA) return this.other?.reps(false) ?? new Float64Array();
    return Float64Array.from([...this.lio, ...this.response]);
  }

  /** So many switches a second as sessions, with an interval; a wait that may be nought, without. */
  metric(ofA: boolean): Float64Array {
    if (ofA) return this.other?.metric(false) ?? new Float64Array();
    const sessions = Number(this.values["sessions"]);
    const { metric } = this.options;
    if (metric === "switches_per_s")
      return Float64Array.from([
        sessions, 0.01 * sessions, ...this.lio.map((_, i) => sessions * (1 + 0.001 * noise(this.options.seed, i))),
      ]);
    return metric === "cpu_wait_time" ? Float64Array.of(Math.max(0, sessions - 8), Number.NaN) : new Float64Array();
  }

  report(ofA: boolean): string {
    if (ofA) return this.other?.report(false) ?? "";
    return JSON.stringify({ ...this.built().report, query: this.query, seed: this.options.seed });
  }

  data(ofA: boolean): Float64Array {
    if (ofA) return this.other?.data(false) ?? new Float64Array();
    return this.built().data;
  }

  free(): void {
    this.done = -1;
  }

  private built(): ReturnType<typeof buildReport> {
    const sessions = Number(this.values["sessions"]);
    const running = Math.min(8, sessions);
    const waiting = (sessions - running).toFixed(2);
    const isCaged = this.values["resource_manager_plan"] !== "none";
    const text = `lio ${Math.round(this.lio[0] ?? 0)} ±0.5%
      response ${(this.response[0] ?? 0).toFixed(3)}
      running 100ms ${running}.00
      queue 1ms ${isCaged ? 0 : waiting}\n${isCaged ? `wait resmgr:cpu quantum | Scheduler | 340ms ${waiting}` : ""}
      metric switches_per_s ${sessions}
      node threads 8 useful 6.5 switch 0.4 slice 6 cost 800 rate 100\n${isCaged ? "cage slots 8 empty 0.6" : ""}`;
    return buildReport(text, {
      "aas/time_s": [0, 0.1, 0.2], "aas/CPU": [running, running, running], "aas/Scheduler": [0, 1, 2],
      "histogram/transaction/edge_ms": [4, 6, 10, 20], "histogram/transaction/count": [5, 10, 5],
      "timeline/thread": [0, 1, -1], "timeline/activity": [1, 1, 2], "timeline/start_ms": [1000, 1000, 1006],
      "timeline/end_ms": [1006, 1100, 1020], "timeline/debt_ms": [0.8, 0.8, 0], "timeline/process": [3, 4, 3],
    });
  }
}

/** What the columns of points weigh: a swap of two of them is another answer. */
const COLUMNS = [1, 10, 100, 1000] as const;

/** Tries three values and finds the sum of what was measured, each column with its own weight. */
class FakeFit implements WasmFit {
  private tried = 0;
  private readonly figures: readonly number[];
  private readonly sum: number;

  constructor(query: string, _over: string, _free: string, points: Float64Array) {
    resolve(fakeCatalogue, query);
    this.figures = [...points].filter((figure, i) => i % 4 > 0 && !Number.isNaN(figure));
    this.sum = [...points].reduce(
      (sum, figure, i) => sum + (COLUMNS[i % 4] ?? 0) * (Number.isNaN(figure) ? 0 : figure), 0,
    );
    if (this.figures.length < 3) refuse("scenario", "3 measured figures are needed", "");
  }

  advance(): Float64Array {
    this.tried++;
    return Float64Array.of(this.tried === 3 ? 1 : 0, this.tried, 48);
  }

  found(): Float64Array {
    const { length } = this.figures;
    return Float64Array.of(this.sum, this.sum - 1, this.sum + 1, 0, 0, 0.02, length);
  }

  free(): void {
    this.tried = -1;
  }
}

export const fakeWasm: WasmModule = {
  describe: (query) => {
    try {
      const resolved = resolve(fakeCatalogue, query);
      return JSON.stringify({ ok: true, canonical: query, resolved, title: query.split("?")[0] });
    } catch (thrown) {
      const fault = JSON.parse((thrown as Error).message) as { code: string; message: string; field: string };
      return JSON.stringify({ ok: false, errors: [{ path: fault.field, message: fault.message, code: fault.code }] });
    }
  },
  Run: FakeRun,
  Fit: FakeFit,
};
