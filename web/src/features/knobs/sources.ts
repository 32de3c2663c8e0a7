/** Where the defaults of knobs are from. */
import { wordsOf, type KnobHelp, type KnobItem } from "./item";

/** What is said where there is no source. */
const CHOSEN = "Yours to choose";

/** Each source with the knobs that have their default from there, as they are listed; a scope is left out. */
export function sourcesOf(
  items: readonly KnobItem[], help: KnobHelp,
): readonly (readonly [string, readonly string[]])[] {
  const bySource = new Map<string, Set<string>>();
  for (const { key } of items) {
    const source = wordsOf(key, help)?.source ?? "";
    if (source === "" || source === CHOSEN) continue;
    const knobs = bySource.get(source) ?? new Set();
    bySource.set(source, knobs.add(key.split("@")[0] ?? key));
  }
  return [...bySource].map(([source, knobs]) => [source, [...knobs]]);
}
