/** What a row of the ledger is in a scenario, where it may be several things. */
import { everywhere, numbersAbove, type Values } from "./input";
import { nounOf, type Cause } from "./ledger";
import { listed } from "./names";

export const SHARING = ["core_coherence", "socket_coherence", "llc_share_penalty"];

const sharesBlocks = (values: Values): boolean =>
  ["core_coherence", "socket_coherence"].some((knob) => numbersAbove(values, knob, 0));

const lacksCaches = (values: Values): boolean => numbersAbove(values, "llc_share_penalty", 0);

export const isRemote = (values: Values): boolean => everywhere(values, "numa_memory").some((word) => word !== "local");

const SCALING = ["scaling_sigma", "scaling_kappa"];

export const contends = (values: Values): boolean => SCALING.some((knob) => numbersAbove(values, knob, 0));

/** Which of them a scenario has at all, it says itself. */
export function sharedNoun(a: Values, b: Values): string {
  // Which of these two it was in a run, its one row does not say.
  const blocks = [
    sharesBlocks(a) || sharesBlocks(b) ? "shared blocks" : "", lacksCaches(a) || lacksCaches(b) ? "fewer caches" : "",
  ];
  const names = [
    blocks.filter((name) => name !== "").join(" or "),
    contends(a) || contends(b) ? "contention between cores" : "",
    isRemote(a) || isRemote(b) ? "remote memory" : "",
  ].filter((name) => name !== "");
  const isOfMessages = [a, b].every((values) => everywhere(values, "arrivals").includes("messages"));
  const what = names.length > 0 ? names : ["shared blocks"];
  return listed(isOfMessages ? what.map((name) => name.replace("blocks", "data")) : what);
}

/** Slaves of parallel queries are no sessions here: their coordinators wait for them in idle events. */
export const hasSlaves = (a: Values, b: Values): boolean =>
  [a, b].some((values) => everywhere(values, "workload").includes("parallel_query"));

/** What a cause is called in a scenario. */
export const nounIn = (cause: Cause, a: Values, b: Values): string =>
  cause === "shared"
    ? `slowing by ${sharedNoun(a, b)}`
    : cause === "beside" && hasSlaves(a, b) ? "work of slaves and other processes" : nounOf(cause);
