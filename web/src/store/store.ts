/** State, listeners and effects joined. */
import type { Measured } from "../analysis";
import type { Catalogue, Engine, FitAsked, Fitted, KnobValue, KnobValues, Trying } from "../engine";
import type { Action } from "./actions";
import { FigureEffects, LinkEffects, realClock, RunEffects, type Clock } from "./effects";
import { KeptEffects } from "./kept";
import type { LinkPort } from "./linkPort";
import { reduce } from "./reducer";
import { initialState, type AppState } from "./state";
import { TextEffects } from "./textEffects";
import { encodeLink, freshLink, plainView, presetNamed, type ViewState } from "./urlState";
import { queryOf } from "./values";

export interface AppStore {
  getState(): AppState;
  /** What was kept of the first scenario is here, if there is any. */
  readonly ready: Promise<void>;
  /** The answer stops it. */
  subscribe(listener: () => void): () => void;
  dispatch(action: Action): void;
  /**
   * What the decoder says of a text for a knob, others set as well: how it writes the value, or what is wrong with it.
   */
  check(id: string, text: string, beside?: KnobValues): Promise<Checked>;
  /** Finds a knob of the side that is looked at from the reader's points; the answer stops it. */
  fit(free: string, hear: (word: Fitting) => void): () => void;
  close(): void;
}

/** How far a fit is, or how it ended. */
export type Fitting = Trying | { readonly fitted: Fitted } | { readonly wrong: string };

/** What a fit asks of the reader's points: value, transactions/s, LIO/s, ms. */
function askedOf(free: string, { load, metrics, rows }: Measured): FitAsked {
  const order = ["throughput_transactions", "throughput_lio", "response_mean_ms"] as const;
  const places = [0, ...order.map((metric) => metrics.indexOf(metric) + 1 || -1)];
  return { over: load, free, points: rows.flatMap((row) => places.map((at) => row[at] ?? Number.NaN)) };
}

function fit(engine: Engine, state: AppState, free: string, hear: (word: Fitting) => void): () => void {
  const { view, catalogue } = state;
  if (view.points === null) return () => undefined;
  const query = queryOf(catalogue, state, view.side === "A" ? "A" : "B");
  const task = { key: free, query, seed: view.seed, fit: askedOf(free, view.points) };
  const job = engine.submit([task], (batch) => {
    for (const one of batch)
      if (one.kind === "trying") hear(one.trying);
      else if (one.kind === "fitted") hear({ fitted: one.fitted });
      else if (one.kind === "failed") hear({ wrong: one.error.message });
  });
  return () => job.cancel();
}

async function check(
  engine: Engine, getState: () => AppState, id: string, values: KnobValues,
): Promise<Checked> {
  const state = getState();
  const { preset, view } = state;
  const description = await engine.describe(queryOf(state.catalogue, state, view.side === "A" ? "A" : "B", values));
  // Other knobs may have been set meanwhile: who types quickly goes on to the next before this one is checked.
  const now = getState();
  if (now.preset !== preset || now.view.side !== view.side) return { wrong: `${id} was meant for another scenario` };
  const text = values[id] ?? "";
  if (description.ok) return { value: description.resolved[id] ?? text };
  const own = description.errors.find(({ path }) => path === id) ?? description.errors[0];
  return { wrong: own?.message ?? `${id} cannot be ${text}.` };
}

export type Checked = { readonly value: KnobValue } | { readonly wrong: string };

/** Of a link with a value that cannot be, the scenario that it names is shown. */
function firstState(catalogue: Catalogue, view: ViewState, hash: string): AppState {
  const named = presetNamed(catalogue, hash);
  const first = initialState(catalogue, view);
  const plain = named === null ? first : { ...first, ...freshLink(catalogue, named.id, view) };
  const state = hash === "" ? plain : reduce(plain, { type: "linkOpened", hash });
  return { ...state, past: [], future: [] };
}

/**
 * `view`: what this reader or frame prefers where the link says nothing; `catalogue`: with the narrower ranges of a
 * frame.
 */
export function createAppStore(
  engine: Engine, link: LinkPort, view: ViewState = plainView, catalogue: Catalogue = engine.catalogue,
  clock: Clock = realClock,
): AppStore {
  let state = firstState(catalogue, view, link.read());
  const listeners = new Set<() => void>();
  const getState = (): AppState => state;
  const dispatch = (action: Action): void => {
    const before = state;
    state = reduce(before, action);
    if (state === before) return;
    links.stateChanged(before);
    runs.stateChanged(before);
    texts.stateChanged();
    void keeps.stateChanged();
    figures.stateChanged(runs.isBusy);
    for (const listener of [...listeners]) listener();
  };
  const links = new LinkEffects(link, clock, getState);
  const runs = new RunEffects(engine, clock, getState, dispatch);
  const texts = new TextEffects(engine, getState, dispatch);
  const keeps = new KeptEffects(engine, getState, dispatch);
  const figures = new FigureEffects(engine, getState, dispatch);
  const stopListening = link.onChange(() => {
    const hash = link.read();
    if (hash !== encodeLink(state.catalogue, state) || state.view.linkError !== null)
      dispatch({ type: "linkOpened", hash });
  });
  const ready = keeps.stateChanged();
  runs.stateChanged(null);
  return {
    getState,
    ready,
    dispatch,
    check: (id, text, beside = {}) => check(engine, getState, id, { ...beside, [id]: text }),
    fit: (free, hear) => fit(engine, state, free, hear),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      stopListening();
      listeners.clear();
      engine.close();
    },
  };
}
