/** What makes busy threads slower than alone: other cores, threads of the same core, data that others use. */
import { formatPercent } from "../../../units";
import { numbersAbove } from "../../read/input";
import { added, hostLedgers, takenBy } from "../../read/ledger";
import { metricIn } from "../../read/metrics";
import { contends, isRemote, SHARING, sharedNoun } from "../../read/sharing";
import { plain } from "../spans";
import type { Sentence } from "../types";
import { moves } from "./switching";
import { ownNoun, takes, type Told, type Words } from "./words";

/** Sessions that change cache less often a second explain nothing. */
const MANY_MOVES = 50;

export const turbo: Words = {
  cause: "turbo", noun: ownNoun, headline: () => "more active cores take turbo away",
};

export const siblings: Words = {
  cause: "siblings", noun: ownNoun, headline: () => "threads of a core slow one another",
};

/** By how much shared blocks lengthen a read, where sharing between cores is all that there is of the kind. */
function readsSentence({ input, a, b }: Told): Sentence {
  const others = SHARING.filter((knob) => knob !== "core_coherence");
  const isAlone = !isRemote(input.b) && !contends(input.b) && !others.some((knob) => numbersAbove(input.b, knob, 0));
  if (a === null || !isAlone || !input.differs.includes("core_coherence")) return [];
  const work = added(hostLedgers(b).map((host) => host.work)).mean;
  const part = takenBy(b, "shared") / work;
  return part > 0 ? [plain(`Blocks that cores share make a read ${formatPercent(100 * part)} longer. `)] : [];
}

/** What caches share is a matter of moves between them, where one side has far more of those. */
function movesSentence(told: Told): Sentence {
  if (told.a === null) return [];
  const [was, is] = [told.a, told.b].map((report) => metricIn(report, "socket_migrations_per_s")?.mean ?? 0);
  const most = Math.max(was ?? 0, is ?? 0);
  return most >= MANY_MOVES && Math.abs((was ?? 0) - (is ?? 0)) > 0.2 * most ? moves(told) : [];
}

function sharedSentences(told: Told): readonly Sentence[] {
  const own = [movesSentence(told), readsSentence(told)].filter((one) => one.length > 0);
  return own.length > 0 ? own : [takes(shared, told)];
}

export const shared: Words = {
  cause: "shared", noun: ownNoun, sentences: sharedSentences,
  headline: ({ input }) => `reads are slower with ${sharedNoun(input.a, input.b)}`,
};
