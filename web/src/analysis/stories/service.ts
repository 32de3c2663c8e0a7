/** The servers of a host in sentences: what they were asked, what they answered, and what theory says of one alone. */
import type { Report, ServiceRow } from "../../engine";
import { formatFixed, formatKnob, formatMs, formatShort, NBSP } from "../../units";
import { valuesAt } from "../read/host";
import { isOpen, numberOf, type AnalysisInput, type Values } from "../read/input";
import { capital, countWord, namesOf, placeHere, threadWords, whereBoth } from "../read/names";
import { aloneMs, halfOf, serversOn, serviceIn, tailOf } from "../read/service";
import { plain, strong, strongB } from "./spans";
import type { Span } from "./types";

/** A tail that differs by less is no finding. */
const NOTABLE = 1.15;

const growthOf = (row: ServiceRow): string => `${formatShort(row.growth_per_s.mean)} requests a second`;

const tail = (row: ServiceRow): string => tailOf(row.response_ms);

/** How well the figure that counts is known: the growth of a queue without bound, else the 99th percentile. */
export function serviceSure(row: ServiceRow, values: Values): string | null {
  const [its, queue] = serversOn(values, row.node) === 1 ? ["its", "queue"] : ["their", "queues"];
  const { mean, ci95 } = row.growth_per_s;
  if (row.grows)
    return ci95 === null ? null : `the growth of ${its} ${queue} to ${halfOf(ci95, mean)}`;
  const { p99, p99_ci95: half } = row.response_ms;
  return half === null || p99 === null ? null : `${its} 99th percentile to ${halfOf(half, p99)}`;
}

/** "the server", or which of several hosts’, or how many there are, where that is one number. */
export function serverName(input: AnalysisInput, node: number): string {
  const [count, other] = [serversOn(input.b, node), serversOn(input.a, node)];
  const name = count !== other ? "servers" : count === 1 ? "server" : `${countWord(count)} servers`;
  return input.preset.nodes > 1 ? `the ${name} of host ${node}` : `the ${name}`;
}

/** The most that a side has. */
const mostOn = ({ a, b }: AnalysisInput, node: number): number => Math.max(serversOn(a, node), serversOn(b, node));

/** "the server’s queue grows", of B or of both sides. */
export function queueGrows(
  input: AnalysisInput, node: number, isOfBoth: boolean, isHostSaid = input.preset.nodes > 1,
): string {
  const isOne = (isOfBoth ? mostOn(input, node) : serversOn(input.b, node)) === 1;
  if (isHostSaid)
    return isOne ? `the queue of host ${node}’s server grows` : `the queues of host ${node}’s servers grow`;
  return isOne ? "the server’s queue grows" : "the servers’ queues grow";
}

/** The rate in a place is that of each server. */
const ofEach = (place: string, input: AnalysisInput, node: number): string =>
  mostOn(input, node) === 1 ? place : place.replace(/requests?\/s/, "$& to each server");

/** The slowest server of B, and the same host's of A. */
function rowsOf(a: Report | null, b: Report): readonly [ServiceRow | null, ServiceRow | null] {
  const rowB = serviceIn(b);
  return [a === null || rowB === null ? null : serviceIn(a, rowB.node), rowB];
}

/** Null where the two sides answer about alike: then the sessions have the word, if there are any. */
export function serviceHeadline(input: AnalysisInput, a: Report | null, b: Report): string | null {
  const [rowA, rowB] = rowsOf(a, b);
  if (rowB === null) return null;
  const grows = queueGrows(input, rowB.node, rowA?.grows === true);
  const whose = input.preset.nodes > 1 ? `host ${rowB.node}’s requests` : "requests";
  const answers = `99${NBSP}% of ${whose} are answered within ${tail(rowB)}`;
  const place = ofEach(placeHere(input), input, rowB.node);
  if (rowA === null || input.differs.length === 0) {
    return rowB.grows
      ? `${capital(place)}: ${grows} by ${growthOf(rowB)}, without bound`
      : `${capital(place)}: ${answers}`;
  }
  const names = namesOf(input);
  const where = ofEach(whereBoth(input), input, rowB.node);
  if (rowB.grows && rowA.grows)
    return `${capital(grows)}${where} either way: with ${names.a} by ${growthOf(rowA)}, with ${names.b} by `
      + formatShort(rowB.growth_per_s.mean);
  if (rowB.grows)
    return `With ${names.b} ${grows} without bound${where}; with ${names.a}, 99${NBSP}% are `
      + `answered within ${tail(rowA)}`;
  if (rowA.grows)
    return `With ${names.b}, ${answers.replace(" of requests", "")}${where}; with ${names.a} the `
      + `${serversOn(input.a, rowB.node) === 1 ? "queue grows" : "queues grow"} without bound`;
  const ratio = (rowB.response_ms.p99 ?? 0) / (rowA.response_ms.p99 ?? 0);
  const hasSessions = b.throughput.lio_per_s.mean > 0;
  if (hasSessions && !(ratio > NOTABLE || ratio < 1 / NOTABLE)) return null;
  return `With ${names.b}, ${answers}${where}, with ${names.a} within ${tail(rowA)}`;
}

/** The same in one line. */
export function serviceShort(input: AnalysisInput, a: Report | null, b: Report): readonly Span[] | null {
  const [rowA, rowB] = rowsOf(a, b);
  if (rowB === null || serviceHeadline(input, a, b) === null) return null;
  const told = (row: ServiceRow): string =>
    row.grows ? `+${growthOf(row)} in queue` : `99${NBSP}% within ${tail(row)}`;
  const isAlone = rowA === null || input.differs.length === 0;
  return [
    strongB((input.preset.nodes > 1 ? `Host ${rowB.node}: ` : "") + told(rowB)),
    plain(ofEach(whereBoth(input), input, rowB.node) + (isAlone ? "" : `; ${told(rowA)} with ${namesOf(input).a}`)),
  ];
}

/** What one side's servers did, in figures of its report. */
function sideWords(row: ServiceRow, values: Values): string {
  const [count, each] = [serversOn(values, row.node), numberOf(valuesAt(values, row.node), "service_per_s", 0)];
  if (!row.grows) return `${count === 1 ? "its" : "their"} mean answer takes ${formatMs(row.response_ms.mean)}`;
  // Counted, and known better than the growth of the queue.
  const answered = formatShort(row.answered_per_s.mean);
  return `${count === 1 ? "it answers" : "they answer"} ${answered} of ${formatKnob(count * each)} a second`;
}

const OWN_SHARES = /^(class|nice|cgroup|kind_cpu_weight|cpus_allowed|affinity)(@|$)/;
const SHARED: ReadonlySet<unknown> = new Set(["TS", 0, "none", "soft", "all"]);

/** Where anybody is in another class, weighs more, is bound or in a group nobody has an equal share. */
const isOrdinary = (values: Values): boolean =>
  Object.entries(values).every(([key, value]) => !OWN_SHARES.test(key) || SHARED.has(value));

/** What the servers ask for, and what they would have if all processes had as much. */
function demandWords(input: AnalysisInput, report: Report, row: ServiceRow): string {
  const count = serversOn(input.b, row.node);
  const threads = report.nodes[row.node - 1]?.threads ?? 0;
  // Who sleeps by turns asks for no share.
  const own = valuesAt(input.b, row.node);
  const beside = report.processes.filter(
    ({ kind, node }) => kind !== "service" && node === row.node && !(Number(own[`${kind}_sleep_ms`]) > 0),
  );
  const all = beside.reduce((sum, each) => sum + each.count, 0) + count;
  const demand = formatFixed(row.demand, 2);
  const asked = count === 1 ? `asks for ${demand} of a CPU` : `ask for ${demand} CPUs`;
  const who =
    count === serversOn(input.a, row.node)
      ? capital(serverName(input, row.node))
      : `With ${namesOf(input).b} ${count === 1 ? "it" : "they"}`;
  const wants = `${who} ${asked}`;
  const isPaused = Number(own["think_time_ms"]) > 0 || isOpen(own)
    || (own["workload"] ?? "logical_reads") !== "logical_reads";
  if (threads >= all || isPaused || ![input.a, input.b].some((values) => isOrdinary(valuesAt(values, row.node))))
    return `${wants}. `;
  const share = `an equal share of ${threadWords(threads)} among `
    + `${countWord(all)} processes ${count === 1 ? "is" : "gives them"} ${formatFixed((count * threads) / all, 2)}`;
  return `${wants}; ${share}. `;
}

/** What is asked, what an equal share would be, and what each side made of it. */
export function serviceWhy(input: AnalysisInput): readonly (readonly Span[])[] {
  if (input.fullB === null) return [];
  const [rowA, rowB] = rowsOf(input.fullA?.report ?? null, input.fullB.report);
  if (rowB === null) return [];
  const [other, alone] = [input.a, input.b].map((values) => aloneMs(valuesAt(values, rowB.node)));
  const sentences: Span[][] = [[plain(demandWords(input, input.fullB.report, rowB))]];
  const names = namesOf(input);
  if (rowA !== null && input.differs.length > 0)
    sentences.push([plain(`With ${names.a} `), strong(sideWords(rowA, input.a)), plain(". ")]);
  sentences.push([
    plain(input.differs.length > 0 ? `With ${names.b} ` : "Here "),
    strongB(sideWords(rowB, input.b)),
    plain(". "),
  ]);
  const each = mostOn(input, rowB.node) === 1 ? "Alone" : "Each alone";
  if (typeof alone === "number") {
    const whose = other === alone ? "" : ` with ${names.b}`;
    sentences.push([plain(`${each} on a CPU, theory gives ${formatMs(alone)}${whose}. `)]);
  }
  return sentences;
}
