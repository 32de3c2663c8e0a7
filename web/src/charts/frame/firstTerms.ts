/** Where terms first stand in a text. */
export interface TermWords {
  readonly name: string;
  readonly words: string;
}

export interface TermPart {
  readonly text: string;
  /** Explained there; null: a text between. */
  readonly term: TermWords | null;
  /** The comma or full stop behind a term, which stays on its line. */
  readonly after?: string;
}

/** The text in parts; a longer name is found before one within it, and none that was `seen` before: they are added. */
export function firstTerms(
  text: string, terms: readonly TermWords[] = [], seen = new Set<string>(),
): readonly TermPart[] {
  const parts: TermPart[] = [];
  let from = 0;
  const names = terms.map(({ name }) => name.replace(/[()]/g, "\\$&")).sort((one, other) => other.length - one.length);
  // A word of its own, or in the plural; sentences may begin with it, but capitals are themselves only in capitals.
  for (const { 1: found = "", index } of text.matchAll(new RegExp(`(?<!\\w)(${names.join("|")})s?(?!\\w)`, "gi"))) {
    const term = terms.find(({ name }) => name === found || name === found.toLowerCase());
    if (term === undefined || seen.has(term.name)) continue;
    seen.add(term.name);
    const to = index + found.length + (text[index + found.length] === "s" ? 1 : 0);
    const [after = ""] = /^[^\w\s]*/.exec(text.slice(to)) ?? [];
    parts.push({ text: text.slice(from, index), term: null }, { text: text.slice(index, to), term, after });
    from = to + after.length;
  }
  return [...parts, { text: text.slice(from), term: null }].filter((part) => part.text !== "");
}
