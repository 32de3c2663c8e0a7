/** Who leaves the cluster, in one sentence: nothing that a run says means as much. */
import type { Report } from "../../engine";
import { formatShort } from "../../units";
import { whoLeft, type Eviction } from "../read/evictions";
import type { AnalysisInput } from "../read/input";
import { capital, namesOf } from "../read/names";

const because = ({ reason }: Eviction): string =>
  reason === "misscount" ? "as heartbeats are missing" : "as an LMS does not move";

/** The same as in the list of starts: a mean of them would be rounded to another. */
function after(rows: readonly Eviction[]): string {
  const times = rows.map((row) => row.at_s);
  const [first, last] = [formatShort(Math.min(...times)), formatShort(Math.max(...times))];
  return first === last ? first : `${first} to ${last}`;
}

/** "node 3 leaves the cluster after 30 to 30.7 s, as heartbeats are missing"; of the first, with how many more. */
function told({ evictions, replications }: Report): string | null {
  const [first] = evictions;
  if (first === undefined) return null;
  const alike = evictions.filter((row) => whoLeft(row) === whoLeft(first));
  const often = alike.length < replications ? ` in ${alike.length} of ${replications} starts` : "";
  const others = new Set(evictions.map(whoLeft)).size - 1;
  const more = others === 0 ? "" : `, and ${others} more`;
  return `${whoLeft(first)} leaves the cluster after ${after(alike)} s${often}, ${because(first)}${more}`;
}

/** Null where everybody stays. */
export function evictionHeadline(input: AnalysisInput, a: Report | null, b: Report): string | null {
  const isAlone = a === null || input.differs.length === 0;
  const [was, is] = [isAlone ? null : told(a), told(b)];
  if (was === null && is === null) return null;
  if (isAlone) return is === null ? null : capital(is);
  if (is !== null && is === was) return `Either way ${is}`;
  const names = namesOf(input);
  if (is === null) return `With ${names.a} ${was ?? ""}; with ${names.b} all stay`;
  return `With ${names.b} ${is}; with ${names.a} ${was ?? "all stay"}`;
}
