/** Where terms first stand in a text. */
export interface TermWords {
  readonly name: string;
  readonly words: string;
}

export interface TermPart {
  readonly text: string;
  /** Explained there; null: a text between. */
  readonly term: TermWords | null;
}

const isWordly = (character: string | undefined): boolean => character !== undefined && /\w/.test(character);

/** Where a term stands as a word of its own, or in the plural; sentences may begin with it. */
function placeOf(text: string, name: string): { readonly from: number; readonly to: number } | null {
  // Names in capitals are themselves only in capitals.
  const fold = (one: string): string => (name === name.toUpperCase() ? one : one.toLowerCase());
  const folded = fold(text);
  for (let from = folded.indexOf(name); from >= 0; from = folded.indexOf(name, from + 1)) {
    const end = from + name.length;
    const to = folded[end] === "s" ? end + 1 : end;
    if (!isWordly(text[from - 1]) && !isWordly(text[to])) return { from, to };
  }
  return null;
}

/** The text in parts; a longer name is found before one within it, and none that was `seen` before. */
export function firstTerms(
  text: string, terms: readonly TermWords[], seen: ReadonlySet<string> = new Set(),
): readonly TermPart[] {
  const term = terms.find(({ name }) => !seen.has(name) && placeOf(text, name) !== null);
  const at = term === undefined ? null : placeOf(text, term.name);
  if (term === undefined || at === null) return text === "" ? [] : [{ text, term: null }];
  const others = terms.filter((one) => one !== term);
  const [before, after] = [
    firstTerms(text.slice(0, at.from), others, seen), text.slice(at.to),
  ];
  const now = new Set([...seen, ...before.flatMap((part) => part.term?.name ?? [])]);
  return [...before, { text: text.slice(at.from, at.to), term }, ...firstTerms(after, others, now)];
}
