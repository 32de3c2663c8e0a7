import { useCallback, useSyncExternalStore } from "react";
import type { AppState, AppStore } from "../store";

/** A part of the state. The selector must give the same object for the same state. */
export function useStore<Part>(store: AppStore, select: (state: AppState) => Part): Part {
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store]);
  return useSyncExternalStore(subscribe, () => select(store.getState()));
}
