/** Of a store, what is needed to wait for it. */
interface Told {
  readonly subscribe: (listener: () => void) => () => void;
}

/** Until something is so, if it is not already; asked again whenever the store changes. */
export function until(store: Told, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isSo()) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(look);
    look();
  });
}
