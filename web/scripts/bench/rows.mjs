/** The rows of the engine's benchmark: each workload beside the minimum that took turns with it. */

/** What is wanted: `share` of the minimum's speed (native, Chromium), or `cost` in events of the minimum. */
const wanted = {
  "round-robin-32-on-8": { share: [0.56, 0.55] },
  "cfs-32-on-8": { share: [0.38] },
  "eevdf-32-on-8": { share: [0.34] },
  "o1-32-on-8": { share: [0.31] },
  "aix-32-on-8": { share: [0.38] },
  "solaris-32-on-8": { share: [0.33] },
  "real-time-32-on-8": { share: [0.27] },
  "round-robin-10000-on-128": { share: [0.45] },
  "cfs-10000-on-128": { share: [0.3] },
  "eevdf-10000-on-128": { share: [0.26] },
  "o1-10000-on-128": { share: [0.3] },
  "aix-10000-on-128": { share: [0.26] },
  "solaris-10000-on-128": { share: [0.24] },
  "real-time-10000-on-128": { share: [0.22] },
  "round-robin-100000-on-1024": { share: [0.3] },
  "seed-point": { cost: 6.5 },
  "soft-affinity": { cost: 13 },
  "one-database-writer": { cost: 8.4 },
  "eight-database-writers": { cost: 8.4 },
  "cluster-of-4": { cost: 8.4 },
  "cluster-of-16": { cost: 8.4 },
};
const WITH_BOOKS = "minimum-with-books-32-on-8";
/** The minimum with nothing of the engine's in it: ratios to it can be compared from day to day. */
const OF_STD = "minimum-of-std-";
/** Beside the minimum with the books: native, Chromium. */
const wantedOfBooks = [0.9, 0.75];

/** Of two workloads that took turns: their best over each other, and the range of the ratio from turn to turn. */
export function ratio(ours, theirs) {
  const turns = ours.map((one, turn) => one / theirs[turn]).sort((one, other) => one - other);
  const edge = Math.floor(turns.length / 10);
  return { best: Math.min(...ours) / Math.min(...theirs), low: turns[edge], high: turns.at(-1 - edge) };
}

const digits = (number, of) => number.toFixed(of);
const shown = ({ best, low, high }, of) => `${digits(best, of)} (${digits(low, of)}–${digits(high, of)})`;

/** A row, each place a measurement or nothing: `kind` is a share of the other's speed, or a cost in its events. */
function row(name, kind, [native, inChromium], least) {
  const of = kind === "share" ? 2 : 1;
  const told = (one) => (one === undefined ? "-" : shown(one, of));
  const want = (at) => (least[at] === undefined ? "-" : digits(least[at], of));
  return [name, kind, told(native), want(0), told(inChromium), want(1)];
}

/** The one that is measured by where nothing else is said; workloads come in any order. */
const isMain = (name) => name.startsWith("minimum-") && name !== WITH_BOOKS && !name.startsWith(OF_STD);

function rowsOf(group, inChromium, minimum = Object.keys(group).find(isMain)) {
  const names = Object.keys(group).filter((name) => name !== minimum && !name.startsWith(OF_STD));
  return names.map((name) => {
    const { share, cost } = wanted[name] ?? {};
    const kind = cost === undefined ? "share" : "cost";
    const both = [group, inChromium].map((turns) => {
      if (turns?.[name] === undefined) return undefined;
      return kind === "share" ? ratio(turns[minimum], turns[name]) : ratio(turns[name], turns[minimum]);
    });
    return row(name, kind, both, cost === undefined ? (share ?? []) : [cost]);
  });
}

/** Those of them that are no minima themselves. */
function rowsOfStd(group, inChromium) {
  const minimum = Object.keys(group).find((name) => name.startsWith(OF_STD));
  if (minimum === undefined) return [];
  const own = ([name]) => !name.startsWith("minimum-");
  return rowsOf(group, inChromium, minimum).filter(own).map(([name, ...rest]) => [`${name}, of std`, ...rest]);
}

export function engineRows(native, inChromium) {
  const { groups, with_ledger: ledger, recording_pct: recorded, events_a_request: each } = native;
  const ofBooks = [groups[0], inChromium[0]].map((turns) => ratio(turns[WITH_BOOKS], turns["round-robin-32-on-8"]));
  return [
    ["an event, beside one of the minimum in its turn", "", "native", "wanted", "Chromium", "wanted"],
    ...groups.flatMap((group, at) => rowsOf(group, inChromium[at])),
    ...groups.flatMap((group, at) => rowsOfStd(group, inChromium[at])),
    row("round-robin-32-on-8, of the minimum with books", "share", ofBooks, wantedOfBooks),
    ...rowsOf(ledger, {}).map(([name, kind, native]) => [`${name}, with the loss ledger`, kind, native, "-", "-", "-"]),
    ...Object.entries(recorded).map(([name, pct]) => [`${name}, recording costs`, "%", digits(pct, 1), "-", "-", "-"]),
    ["events a request of a cluster of 4", "", digits(each, 1), "-", "-", "-"],
  ];
}
