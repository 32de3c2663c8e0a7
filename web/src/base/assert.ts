/** Stops the compiler, and failing that the program, where a closed union was not handled to its end. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}

/** The value, or an error naming what was expected. For things that cannot be absent unless the program is wrong. */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`missing: ${what}`);
  return value;
}
