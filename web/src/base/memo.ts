/** Remembers the last call: same arguments (by identity), same answer object. */
export function memoLast<Args extends readonly unknown[], R>(compute: (...args: Args) => R): (...args: Args) => R {
  let last: { readonly args: Args; readonly answer: R } | null = null;
  return (...args) => {
    const known = last;
    if (known !== null && known.args.length === args.length && args.every((arg, i) => Object.is(arg, known.args[i]))) {
      return known.answer;
    }
    const answer = compute(...args);
    last = { args, answer };
    return answer;
  };
}

/** Remembers the last answer as long as the parts of the input that it depends on are the same objects. */
export function memoOn<S, R>(partsOf: (input: S) => readonly unknown[], compute: (input: S) => R): (input: S) => R {
  let last: { readonly parts: readonly unknown[]; readonly answer: R } | null = null;
  return (input) => {
    const parts = partsOf(input);
    const known = last;
    if (known !== null && parts.every((part, i) => Object.is(part, known.parts[i]))) return known.answer;
    const answer = compute(input);
    last = { parts, answer };
    return answer;
  };
}

/** Remembers the answer to each input for as long as somebody holds the input. */
export function memoBy<S extends object, R>(compute: (input: S) => R): (input: S) => R {
  const known = new WeakMap<S, { readonly answer: R }>();
  return (input) => {
    const before = known.get(input);
    if (before !== undefined) return before.answer;
    const answer = compute(input);
    known.set(input, { answer });
    return answer;
  };
}
