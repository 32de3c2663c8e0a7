/** Rows of the knobs of a link, for tests. */
import type { Catalogue } from "../engine";
import { reduce } from "../store/reducer";
import { selectKnobs, type KnobRow } from "../store/selectors";
import { initialState as stateOf, type AppState } from "../store/state";

export const initialState = (catalogue: Catalogue): AppState => stateOf(catalogue);

export function reduceAll(state: AppState, hash: string): readonly KnobRow[] {
  return selectKnobs(reduce(state, { type: "linkOpened", hash }));
}
