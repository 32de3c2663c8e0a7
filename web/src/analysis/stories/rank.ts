/** Which claims are told, in which order, and how much of them there is room for. */
import { formatSigned, NBSP } from "../../units";
import { capital } from "../read/names";
import { lengthOf, plain, strongB } from "./spans";
import type { Claim, Sentence, Span } from "./types";

/** Characters of the reasons. */
export const MOST_CHARACTERS = 260;
/** Of the sentence that adds the causes up. */
const MOST_OF_SUM = 165;
/** Causes that it names; the others are the rest. */
const MOST_CAUSES = 4;
/** A cause below so many points, and below this part of the largest, is left to the rest. */
const SMALLEST_POINTS = 0.2;
const SMALLEST_PART = 0.06;

type Shared = Claim & { readonly share: NonNullable<Claim["share"]> };

const isShared = (claim: Claim): claim is Shared => claim.share !== null;

/** The largest that goes the way of the difference first, then the others, the largest first. */
export function ranked(claims: readonly Claim[], difference: number): readonly Claim[] {
  const sorted = claims.toSorted((one, other) => other.worth - one.worth);
  const first = sorted.find(({ share }) => share !== null && share.points * difference > 0);
  return first === undefined ? sorted : [first, ...sorted.filter((claim) => claim !== first)];
}

/** Causes that are worth naming. */
export function notable(claims: readonly Claim[]): readonly Shared[] {
  const shared = claims.filter(isShared);
  const most = Math.max(0, ...shared.map(({ worth }) => worth));
  return shared.filter(({ worth }) => worth >= Math.max(SMALLEST_POINTS, SMALLEST_PART * most));
}

/** Points as they are printed: whole ones where there are hundreds. */
const decimalsOf = (claims: readonly Shared[], difference: number): number =>
  Math.max(Math.abs(difference), ...claims.map(({ worth }) => worth)) >= 99.95 ? 0 : 1;

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

function sumOf(claims: readonly Shared[], difference: number): Sentence {
  const decimals = decimalsOf(claims, difference);
  const said = claims.reduce((sum, { share }) => sum + rounded(share.points, decimals), 0);
  const rest = rounded(rounded(difference, decimals) - said, decimals);
  const items = [
    ...claims.map(({ share }) => ({ words: share.words, points: share.points })),
    ...(rest === 0 ? [] : [{ words: "the rest", points: rest }]),
  ];
  return items.flatMap(({ words, points }, i): Sentence => [
    plain(`${i === 0 ? capital(words) : words}: `),
    strongB(`${formatSigned(points, decimals)}${i === 0 ? `${NBSP}points` : ""}`),
    plain(i === items.length - 1 ? ". " : "; "),
  ]);
}

/** The causes with what each gives or takes, and the rest: together the difference. */
export function sumSentence(claims: readonly Claim[], difference: number): Sentence {
  const shared = notable(claims);
  let count = Math.min(MOST_CAUSES, shared.length);
  while (count > 1 && lengthOf(sumOf(shared.slice(0, count), difference)) > MOST_OF_SUM) count--;
  return count === 0 ? [] : sumOf(shared.slice(0, count), difference);
}

/** A name that ends in "…" ends its sentence, too: no fourth dot, but a mark before a sentence that is a number. */
function endedOnce(spans: readonly Span[]): readonly Span[] {
  const all = spans.map(({ text }) => text).join("");
  let from = 0;
  return spans.map((span) => {
    const start = from;
    from += span.text.length;
    const text = span.text.replaceAll(".", (dot, i: number) => {
      const at = start + i;
      return all[at - 1] !== "…" ? dot : /^ \d/.test(all.slice(at + 1, at + 3)) ? ";" : "";
    });
    return { ...span, text };
  });
}

/** Sentences one after another, of each choice the first for which there is room. */
export function fitted(choices: readonly (readonly Sentence[])[]): readonly Span[] {
  const kept: Span[] = [];
  for (const choice of choices) {
    const room = MOST_CHARACTERS + 1 - lengthOf(kept);
    const fits = choice.find((sentence) => lengthOf(sentence) <= room);
    if (fits !== undefined) kept.push(...fits);
  }
  const ended = endedOnce(kept);
  const last = ended.at(-1);
  return last === undefined ? [] : [...ended.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}
