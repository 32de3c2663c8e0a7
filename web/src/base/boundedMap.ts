/**
 * A copy of `map` with `key` set and made the newest, the oldest entries dropped beyond `limit`. The input stays as it
 * is.
 */
export function withNewest<V>(
  map: ReadonlyMap<string, V>, key: string, value: V, limit: number,
): ReadonlyMap<string, V> {
  const next = new Map(map);
  next.delete(key);
  next.set(key, value);
  for (const oldest of next.keys()) {
    if (next.size <= limit) break;
    next.delete(oldest);
  }
  return next;
}
