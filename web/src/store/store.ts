/** State, listeners and effects joined. */
import type { Catalogue, Engine, KnobValue, KnobValues } from "../engine";
import type { Action } from "./actions";
import { FigureEffects, LinkEffects, realClock, RunEffects, type Clock } from "./effects";
import type { LinkPort } from "./linkPort";
import { reduce } from "./reducer";
import { initialState, type AppState } from "./state";
import { TextEffects } from "./textEffects";
import { encodeLink, plainView, type ViewState } from "./urlState";
import { queryOf } from "./values";

export interface AppStore {
  getState(): AppState;
  /** The answer stops it. */
  subscribe(listener: () => void): () => void;
  dispatch(action: Action): void;
  /**
   * What the decoder says of a text for a knob, others set as well: how it writes the value, or what is wrong with it.
   */
  check(id: string, text: string, beside?: KnobValues): Promise<Checked>;
  close(): void;
}

export type Checked = { readonly value: KnobValue } | { readonly wrong: string };

function firstState(catalogue: Catalogue, view: ViewState, hash: string): AppState {
  const plain = initialState(catalogue, view);
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
    figures.stateChanged(runs.isBusy);
    for (const listener of [...listeners]) listener();
  };
  const links = new LinkEffects(link, clock, getState);
  const runs = new RunEffects(engine, clock, getState, dispatch);
  const texts = new TextEffects(engine, getState, dispatch);
  const figures = new FigureEffects(engine, getState, dispatch);
  const stopListening = link.onChange(() => {
    const hash = link.read();
    if (hash !== encodeLink(state.catalogue, state) || state.view.linkError !== null)
      dispatch({ type: "linkOpened", hash });
  });
  runs.stateChanged(null);
  return {
    getState,
    dispatch,
    check: async (id, text, beside = {}) => {
      const side = state.view.side === "A" ? "A" : "B";
      const description = await engine.describe(queryOf(state.catalogue, state, side, { ...beside, [id]: text }));
      if (description.ok) return { value: description.resolved[id] ?? text };
      const own = description.errors.find(({ path }) => path === id) ?? description.errors[0];
      return { wrong: own?.message ?? `${id} cannot be ${text}.` };
    },
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
