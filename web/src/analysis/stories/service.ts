/** The server of a host in sentences: what it was asked, what it answered, and what theory says of it alone. */
import type { Report, ServiceRow } from "../../engine";
import { decimalsFor, formatFixed, formatKnob, formatMs, formatPercent, formatShort, NBSP } from "../../units";
import { valuesAt } from "../read/host";
import { numberOf, type AnalysisInput, type Values } from "../read/input";
import { capital, countWord, namesOf, placeHere, whereBoth } from "../read/names";
import { aloneMs, serviceIn } from "../read/service";
import { plain, strong, strongB } from "./spans";
import type { Span } from "./types";

/** A tail that differs by less is no finding. */
const NOTABLE = 1.15;

const growthOf = (row: ServiceRow): string => `${formatShort(row.growth_per_s.mean)} requests a second`;

/** The 99th percentile with its interval, where there is one. */
function tail({ response_ms: answer }: ServiceRow): string {
  return answer.p99_ci95 === null
    ? formatMs(answer.p99)
    : `${formatMs(answer.p99)} ±${formatPercent((100 * answer.p99_ci95) / answer.p99, 0)}`;
}

/** How well the figure that counts is known: the growth of a queue without bound, else the 99th percentile. */
export function serviceSure(row: ServiceRow): string | null {
  const { mean, ci95 } = row.growth_per_s;
  if (row.grows) return ci95 === null ? null : `the growth of its queue to ±${formatPercent((100 * ci95) / mean, 0)}`;
  const { p99, p99_ci95: half } = row.response_ms;
  return half === null ? null : `its 99th percentile to ±${formatPercent((100 * half) / p99, 0)}`;
}

/** Which server, where several hosts may have one. */
function serverName(input: AnalysisInput, { node }: ServiceRow): string {
  return input.preset.nodes > 1 ? `the server of host ${node}` : "the server";
}

/** "the server’s queue". */
function queueName(input: AnalysisInput, { node }: ServiceRow): string {
  return input.preset.nodes > 1 ? `the queue of host ${node}’s server` : "the server’s queue";
}

/** The slowest server of B, and the same host's of A. */
function rowsOf(a: Report | null, b: Report): readonly [ServiceRow | null, ServiceRow | null] {
  const rowB = serviceIn(b);
  return [a === null || rowB === null ? null : serviceIn(a, rowB.node), rowB];
}

/** Null where the two sides answer about alike: then the sessions have the word, if there are any. */
export function serviceHeadline(input: AnalysisInput, a: Report | null, b: Report): string | null {
  const [rowA, rowB] = rowsOf(a, b);
  if (rowB === null) return null;
  const queue = queueName(input, rowB);
  const ofRequests = input.preset.nodes > 1 ? ` of host ${rowB.node}’s requests` : "";
  const place = placeHere(input);
  if (rowA === null || input.differs.length === 0) {
    return rowB.grows
      ? `${capital(place)}: ${queue} grows by ${growthOf(rowB)}, without bound`
      : `${capital(place)}: 99${NBSP}%${ofRequests || " of requests"} are answered within ${tail(rowB)}`;
  }
  const names = namesOf(input);
  const where = whereBoth(input);
  if (rowB.grows && rowA.grows)
    return `${capital(queue)} grows${where} either way: with ${names.a} by ${growthOf(rowA)}, with ${names.b} by `
      + formatShort(rowB.growth_per_s.mean);
  if (rowB.grows)
    return `With ${names.b} ${queue} grows without bound${where}; with ${names.a} 99${NBSP}% are `
      + `answered within ${tail(rowA)}`;
  if (rowA.grows)
    return `With ${names.b} 99${NBSP}%${ofRequests} are answered within ${tail(rowB)}${where}; with ${names.a} `
      + `the queue grows without bound`;
  const ratio = rowB.response_ms.p99 / rowA.response_ms.p99;
  const hasSessions = b.throughput.lio_per_s.mean > 0;
  if (hasSessions && !(ratio > NOTABLE || ratio < 1 / NOTABLE)) return null;
  return `With ${names.b} 99${NBSP}%${ofRequests || " of requests"} are answered within ${tail(rowB)}${where}, `
    + `with ${names.a} within ${tail(rowA)}`;
}

/** What one side's server did, in figures of its report. */
function sideWords(row: ServiceRow, values: Values): string {
  if (!row.grows) return `its mean answer takes ${formatMs(row.response_ms.mean)}`;
  // What was counted as asked for is not what is asked for on average: with the growth that is told they add up.
  const [asked, growth] = [numberOf(values, "service_per_s", 0), row.growth_per_s.mean];
  const answered = Number(Math.max(0, asked - growth).toFixed(decimalsFor(growth)));
  return `it answers ${formatKnob(answered)} of ${formatKnob(asked)} a second`;
}

/** What is asked, what an equal share would be, and what each side made of it. */
export function serviceWhy(input: AnalysisInput): readonly (readonly Span[])[] {
  if (input.fullB === null) return [];
  const [rowA, rowB] = rowsOf(input.fullA?.report ?? null, input.fullB.report);
  if (rowB === null) return [];
  const report = input.fullB.report;
  const threads = report.nodes[rowB.node - 1]?.threads ?? 0;
  const beside = report.processes.filter(({ kind, node }) => kind !== "service" && node === rowB.node);
  const others = beside.reduce((sum, row) => sum + row.count, 0);
  const share = threads / (others + 1);
  const wants = `${capital(serverName(input, rowB))} asks for ${formatFixed(rowB.demand, 2)} of a CPU`;
  const equal =
    share < 1
      ? `; an equal share of ${countWord(threads)} ${threads === 1 ? "thread" : "threads"} among `
        + `${countWord(others + 1)} processes is `
        + formatFixed(share, 2)
      : "";
  const alone = aloneMs(valuesAt(input.b, rowB.node));
  const sentences: Span[][] = [[plain(`${wants}${equal}. `)]];
  const names = namesOf(input);
  if (rowA !== null && input.differs.length > 0)
    sentences.push([plain(`With ${names.a} `), strong(sideWords(rowA, valuesAt(input.a, rowA.node))), plain(". ")]);
  sentences.push([
    plain(input.differs.length > 0 ? `With ${names.b} ` : "Here "),
    strongB(sideWords(rowB, valuesAt(input.b, rowB.node))),
    plain(". "),
  ]);
  if (alone !== null) sentences.push([plain(`Alone on a CPU, theory gives ${formatMs(alone)}. `)]);
  return sentences;
}
