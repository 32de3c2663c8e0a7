/** Where the capacity of all threads goes on both sides, each difference with its own interval. */
import type { Report } from "../../engine";
import { formatPercent } from "../../units";
import { allHostsHead, hostsOf } from "../read/host";
import type { AnalysisInput } from "../read/input";
import { added, capacityOf, hostLedgers, type Cause, type Sum } from "../read/ledger";
import { capital, namesOf } from "../read/names";
import { hasSlaves, nounIn } from "../read/sharing";
import { rowDifference } from "./differences";
import type { LossRow, LossTableModel } from "./types";

/** Rows before the rest, work among them. */
const MOST_ROWS = 8;
/** CPUs that are not worth a row. */
const SMALLEST = 0.005;
const NONE: Sum = { mean: 0, reps: [] };
const WORK = "sessions’ work";

/** By name, of all hosts together: work, then every cause. */
function sumsOf(report: Report, input: AnalysisInput): ReadonlyMap<string, Sum> {
  const hosts = hostLedgers(report);
  const causes = [...new Set(hosts.flatMap(({ taken }) => taken.map(({ cause }) => cause)))];
  const of = (cause: Cause): Sum =>
    added(hosts.flatMap(({ taken }) => taken.filter((one) => one.cause === cause).map(({ threads }) => threads)));
  const rows = causes.map((cause): [string, Sum] => [nounIn(cause, input.a, input.b), of(cause)]);
  return new Map([[WORK, added(hosts.map(({ work }) => work))], ...rows]);
}

const rowOf = (name: string, a: Sum, b: Sum): LossRow =>
  ({ name: capital(name), a: a.mean, b: b.mean, ...rowDifference(a, b) });

/** Of sessions; where slaves do the work of some, of all. */
function titleOf(input: AnalysisInput, a: Report | null, b: Report): string {
  const also = hasSlaves(input.a, input.b) ? nounIn("beside", input.a, input.b) : "";
  const share = (report: Report): string => {
    const sums = sumsOf(report, input);
    const work = (sums.get(WORK)?.mean ?? 0) + (sums.get(also)?.mean ?? 0);
    return formatPercent((100 * work) / Math.max(1e-9, capacityOf(report)));
  };
  const now = a === null || share(a) === share(b) ? "" : `, ${namesOf(input).wordB} ${share(b)}`;
  const head = allHostsHead(hostsOf(input)) || "Threads: ";
  return `${head}${also === "" ? "sessions’" : "all"} work is ${share(a ?? b)} of their capacity${now}`;
}

/** Null where there is no ledger. A row's numbers are CPUs at reference speed; together they are the capacity. */
export function lossTableOf(input: AnalysisInput): LossTableModel | null {
  const { fullA, fullB, differs } = input;
  if (fullA === null || fullB === null || capacityOf(fullB.report) === 0) return null;
  const [a, b] = [sumsOf(fullA.report, input), sumsOf(fullB.report, input)];
  const names = [...new Set([...a.keys(), ...b.keys()])];
  const size = (name: string): number =>
    name === WORK ? Number.MAX_VALUE : Math.max(a.get(name)?.mean ?? 0, b.get(name)?.mean ?? 0);
  const sorted = names.toSorted((one, other) => size(other) - size(one) || one.localeCompare(other, "en"));
  const shown = sorted.filter((name, i) => i < MOST_ROWS && size(name) >= SMALLEST);
  const restOf = (sums: ReadonlyMap<string, Sum>): Sum =>
    added(sorted.filter((name) => !shown.includes(name)).map((name) => sums.get(name) ?? NONE));
  const rest = rowOf("the rest", restOf(a), restOf(b));
  const rows = shown.map((name) => rowOf(name, a.get(name) ?? NONE, b.get(name) ?? NONE));
  return {
    title: titleOf(input, differs.length === 0 ? null : fullA.report, fullB.report),
    rows: Math.max(Math.abs(rest.a), Math.abs(rest.b)) < SMALLEST ? rows : [...rows, rest],
    sumA: capacityOf(fullA.report), sumB: capacityOf(fullB.report),
  };
}
