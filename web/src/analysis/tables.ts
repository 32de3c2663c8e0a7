/** Tables and charts that few scenarios have: they come with the panels that show them. */
import { memoBy } from "../base/memo";
import type { FullAnswer } from "../engine";
import { isUnderWay, type AnalysisInput, type Values } from "./read/input";
import { namesOf, rowOf } from "./read/names";
import { blockTimeOf } from "./sides/blockTime";
import { consumerGroupsOf } from "./sides/consumerGroups";
import { differencesOf, signOf } from "./sides/differences";
import { redoSideOf, redoTotalsOf } from "./sides/redo";
import { statspackOf } from "./sides/statspack";
import { tkprofOf } from "./sides/tkprof";
import { variantsOf } from "./sides/variants";
import { redoTitle } from "./stories";
import { mapModelOf } from "./sweep/map";
import type { RedoModel, SidesOfBlockTime, SidesOfConsumerGroups, SidesOfStatspack, SidesOfTkprof } from "./types";

/** Null where no instance has redo and writers, or nothing has run. */
export const redoIn = memoBy((input: AnalysisInput): RedoModel | null => {
  const { fullA, fullB, differs } = input;
  const part = (answer: FullAnswer | null): RedoModel["a"] => {
    const side = answer === null ? null : redoSideOf(answer);
    return answer === null || side === null ? null : { side, totals: redoTotalsOf(answer.report) };
  };
  const [a, b] = [differs.length === 0 ? null : part(fullA), part(fullB)];
  const names = namesOf(input);
  if (b === null || fullB === null) return null;
  const title = redoTitle(a?.totals ?? null, b.totals, names.wordB, isUnderWay(input));
  const { databases: [first], instances } = fullB.report;
  const whose = first === undefined || instances.length < 2 ? "" : ` (instance ${first.instance})`;
  return { title: title + whose, nameA: names.a, nameB: names.b, a, b };
});

/** Knobs that are not as in the published run: of B all that were moved, of A those that it shares, and its own. */
function movedOn({ a, moved, differs, knobs, preset }: AnalysisInput, side: "A" | "B"): readonly string[] {
  const isOther = (key: string): boolean => {
    const row = rowOf(knobs, key);
    // What a preset says of all parts holds for each.
    const [published = row?.default] =
      [preset.compare, preset.set].flatMap((of) => of[key] ?? of[row?.id ?? key] ?? []);
    return String(a[key]) !== String(published);
  };
  const all = side === "B" ? moved : [...moved.filter((key) => !differs.includes(key)), ...differs.filter(isOther)];
  return all.filter((key) => rowOf(knobs, key)?.group !== "Run");
}

/** A run of each side as Statspack prints it; null where no instance has redo and writers. */
export const statspackIn = memoBy((input: AnalysisInput): SidesOfStatspack | null => {
  const { fullA, fullB, a, b, preset } = input;
  const of = (answer: FullAnswer | null, values: Values, side: "A" | "B") =>
    answer === null ? null : statspackOf(answer.report, values, preset.id, movedOn(input, side));
  const [own, other] = [of(fullB, b, "B"), of(fullA, a, "A")];
  return own === null ? null : { a: other, b: own };
});

/** Where the time of requests for blocks goes on each side; null where no instances share any. */
export const blockTimeIn = memoBy(({ fullA, fullB, preset }: AnalysisInput): SidesOfBlockTime | null => {
  const of = (answer: FullAnswer | null) =>
    answer === null ? null : blockTimeOf(answer.report, preset.id, preset.instances);
  const own = of(fullB);
  return own === null ? null : { a: of(fullA), b: own };
});

/** A session of each side as tkprof prints its trace; null where sessions go on for ever. */
export const tkprofIn = memoBy((input: AnalysisInput): SidesOfTkprof | null => {
  const { fullA, fullB, a, b, preset } = input;
  const of = (answer: FullAnswer | null, values: Values, side: "A" | "B") =>
    answer === null ? null : tkprofOf(answer.report, values, preset.id, movedOn(input, side));
  const [own, other] = [of(fullB, b, "B"), of(fullA, a, "A")];
  return own === null ? null : { a: other, b: own };
});

/** Consumer groups of each side; null where no instance has several. */
export const consumerGroupsIn = memoBy(({ fullA, fullB }: AnalysisInput): SidesOfConsumerGroups => {
  const of = (answer: FullAnswer | null) => (answer === null ? null : consumerGroupsOf(answer.report));
  return { a: of(fullA), b: of(fullB) };
});

/** Null where the preset asks nothing of the kind. */
export const variantsIn = memoBy(variantsOf);

/** Null where no second knob is asked for. */
export const mapIn = memoBy((input: AnalysisInput) => mapModelOf(input, { along: differencesOf, signOf }));
