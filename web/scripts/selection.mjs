import { Told } from "./shell.mjs";

/** The sets of steps that `npm test` can be asked for. */
export const sets = ["rust", "unit", "page", "parity", "quick"];

/**
 * The steps of the sets named, in the order of the list; without a word all. A step is {name, sets, run}: `sets` names
 * those it belongs to. One with `partOf` repeats a part of the step named there, and is left out where that one runs.
 * Throws `Told` for a word that is no set.
 */
export function selectSteps(steps, words) {
  const unknown = words.filter((word) => !sets.includes(word));
  if (unknown.length > 0)
    throw new Told(`npm test knows no “${unknown.join("”, “")}”: it is ${sets.join(", ")}, or no word for all`);
  const asked = words.length === 0 ? steps : steps.filter((step) => step.sets.some((set) => words.includes(set)));
  const names = new Set(asked.map(({ name }) => name));
  return asked.filter(({ partOf }) => partOf === undefined || !names.has(partOf));
}
