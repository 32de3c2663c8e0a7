/** The address bar, as the store sees it. */
export interface LinkPort {
  read(): string;
  push(hash: string): void;
  replace(hash: string): void;
  /** Back, Forward, or a person typing in the bar. The answer stops it. */
  onChange(callback: () => void): () => void;
}

/**
 * A browser may refuse: too many changes in a short time, or a frame without an address. The next change tries again.
 */
function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // The page goes on; only the bar is behind.
  }
}

export function browserLink(page: Window): LinkPort {
  return {
    read: () => page.location.hash,
    push: (hash) => attempt(() => page.history.pushState(null, "", hash)),
    replace: (hash) => attempt(() => page.history.replaceState(null, "", hash)),
    onChange: (callback) => {
      page.addEventListener("popstate", callback);
      page.addEventListener("hashchange", callback);
      return () => {
        page.removeEventListener("popstate", callback);
        page.removeEventListener("hashchange", callback);
      };
    },
  };
}

/** Steps back that a link without a bar remembers. */
const MOST_ENTRIES = 100;

/** A link that nobody sees: for frames that may not touch their address, and for tests. */
export function memoryLink(
  first = "",
): LinkPort & { readonly entries: string[]; open(hash: string): void; back(): void } {
  const entries = [first];
  const callbacks = new Set<() => void>();
  let at = 0;
  const tell = (): void => callbacks.forEach((callback) => callback());
  const add = (hash: string): void => {
    entries.splice(at + 1, entries.length, hash);
    entries.splice(0, entries.length - MOST_ENTRIES);
    at = entries.length - 1;
  };
  return {
    entries,
    read: () => entries[at] ?? "",
    push: add,
    replace: (hash) => {
      entries[at] = hash;
    },
    onChange: (callback) => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    open: (hash) => {
      add(hash);
      tell();
    },
    back: () => {
      at = Math.max(0, at - 1);
      tell();
    },
  };
}
