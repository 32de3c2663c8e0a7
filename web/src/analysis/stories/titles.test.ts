/** Titles of charts: what the ledger says that threads lose most otherwise. */
import { describe, expect, it } from "vitest";
import { answerOf, buildInput, cagedValues } from "../../testing/buildInput";
import type { AnalysisInput } from "../read/input";
import { matrixIn } from "../page";
import { estimate } from "../../testing/buildReport";
import { plain } from "../../testing/reportFacts";
import { hostTitlesOf } from "./titles";

const nodes = "node threads 8 useful 6 switch 1 slice 6 cost 802 rate 1334";
const free = `lio 3.0M\n response 600\n running 6ms 8\n queue 18ms 24\n ${nodes}
  ledger capacity 8\n ledger work 5.2\n ledger siblings 2\n ledger switch_refill 0.6\n ledger switch_direct 0.2`;
const caged = `lio 3.3M\n response 580\n running 100ms 7.3\n wait resmgr:cpu quantum | Scheduler | 340ms 24.7\n ${nodes}
  ledger capacity 8\n ledger work 5.72\n ledger siblings 1.52\n ledger switch_refill 0.05\n ledger cage_empty 0.71`;

const title = (...args: Parameters<typeof buildInput>): string =>
  plain(matrixIn(buildInput(...args)).hosts[0]?.titles.threads ?? "");

describe("other titles of two sides", () => {
  const titles = (a: string, b: string, more: Partial<AnalysisInput> = {}): readonly string[] => {
    const { hosts, titles: own } = matrixIn(buildInput(a, b, more));
    return [plain(hosts[0]?.titles.activeSessions ?? ""), plain(own.spread)];
  };
  const side = (queue: number, p99: number): string =>
    `lio 3.0M\n response 600 p99 ${p99}\n running 6ms 8\n queue 18ms ${queue}\n ${nodes}`;
  it("are of both, and say in words that next to nobody waits", () => {
    expect(titles(side(3.2, 812), side(0.02, 340))[0]).toBe("Active sessions: 3.2 wait, caged hardly any");
    expect(titles(side(0.02, 812), side(3.2, 340))[0]).toBe("Active sessions: hardly any wait, caged 3.2");
    expect(titles(side(0.02, 812), side(0.01, 340))[0]).toBe("Active sessions: hardly any wait");
    expect(titles(side(0, 812), side(0, 340))[0]).toBe("Active sessions: nobody waits");
    expect(titles(side(0, 812), side(0.02, 340))[0]).toBe("Active sessions: nobody waits, caged hardly any");
    expect(titles(side(0, 812), side(3.2, 340))[0]).toBe("Active sessions: nobody waits, caged 3.2");
    expect(titles(side(3.2, 812), side(0, 340))[0]).toBe("Active sessions: 3.2 wait, caged none");
    expect(titles(side(3.2, 812), side(3.2, 340))[0]).toBe("Active sessions: 3.2 wait");
  });
  it("say that run queues are counted where the table of events counts them with the waits before", () => {
    const input = buildInput(side(3.2, 812), side(2, 340));
    const { report } = input.fullB!;
    const told = (queued: number): readonly (string | undefined)[] => {
      const on_cpu = report.on_cpu.map((row) => ({ ...row, clocked_aas: estimate(queued) }));
      const now = { ...input, fullB: { ...input.fullB!, report: { ...report, on_cpu } } };
      const { a, b, titles: own } = matrixIn(now).hosts[0]!;
      const ofSecond = hostTitlesOf(now, 2, a!.activeSessions, b!.activeSessions);
      return [plain(own.activeSessions), ofSecond.activeSessions.split(":")[0]];
    };
    for (const queued of [2, 1.96]) expect(told(queued)).toEqual(["Active sessions: 3.2 wait, caged 2.0", "Host 2"]);
    expect(told(0.4)).toEqual(["Active sessions, with run queues: 3.2 wait, caged 2.0", "Host 2, with run queues"]);
  });
  it("give a percentile in the digits of the chart, which tells how well it is known", () => {
    const input = buildInput(side(3, 133.1), side(3, 172.539));
    const unsure = { ...input.fullB!.report.response_ms, p99_ci95: 10 };
    const fullB = { ...input.fullB!, report: { ...input.fullB!.report, response_ms: unsure } };
    const { titles: own, b } = matrixIn({ ...input, fullB });
    expect(plain(own.spread)).toBe("99 % end within 133 ms, caged 173 ms");
    expect(plain(b?.responseSpread.value ?? "")).toBe("173 ms ±6 %");
  });
  it("give the slowest of each side, and once where they are alike", () => {
    expect(titles(side(3, 812), side(3, 340))[1]).toBe("99 % end within 812 ms, caged 340 ms");
    expect(titles(side(3, 812.1), side(3, 812.2))[1]).toBe("99 % of transactions end within 812 ms");
    const { preset } = buildInput("", "");
    const hosts = { preset: { ...preset, nodes: 2, instances: [1, 2] } };
    expect(titles(side(3, 812), side(3, 340), hosts)[1]).toBe("Both hosts: 99 % end within 812 ms, caged 340 ms");
    expect(titles(side(3, 812), side(3, 812), hosts)[1]).toBe("Both hosts: 99 % end within 812 ms");
  });
});

describe("the title of threads", () => {
  it("is of what both lose most where their differences show in no figure", () => {
    const side = (turbo: number): string => `lio 3.0M\n response 600\n running 6ms 8\n ${nodes}
      ledger capacity 8\n ledger work 5.2\n ledger throttled 2\n ledger turbo ${turbo}`;
    expect(title(side(0.0241), side(0.0239))).toBe("Threads: 25.0 % lost to limits");
    expect(title(side(0.8), side(0.08))).toBe("Threads: 10.0 % lost to turbo, caged 1.0 %");
  });
  it("is of no difference that the table of losses doubts", () => {
    const side = (turbo: number, limits: number): string => `lio 3.0M\n response 600\n running 6ms 8\n ${nodes}
      ledger capacity 8\n ledger work 1\n ledger throttled ${limits}\n ledger turbo ${turbo}`;
    // Turbo is by 0.08 ±0.33 less.
    const doubtful = (limits: number): string => {
      const input = buildInput(side(0.3, 5.9), side(0.22, limits));
      const { report } = input.fullB!;
      const reps = [-0.6, 0.6, -0.4, 0.4, 0, 0.2, -0.2, 0].map((off) => 0.22 + off);
      const ledger = report.ledger.map((row) => (
        row.cause === "turbo" ? { ...row, threads: { ...row.threads!, reps } } : row
      ));
      const { hosts } = matrixIn({ ...input, fullB: { ...input.fullB!, report: { ...report, ledger } } });
      return plain(hosts[0]?.titles.threads ?? "");
    };
    expect(title(side(0.3, 5.9), side(0.22, 5.9))).toBe("Threads: 3.8 % lost to turbo, caged 2.8 %");
    expect(doubtful(5.9)).toBe("Threads: 73.8 % lost to limits");
    expect(doubtful(5.88)).toBe("Threads: 73.8 % lost to limits, caged 73.5 %");
  });
  it("calls slow reads by what slows them", () => {
    const side = (shared: number): string => `lio 3.0M\n response 600\n running 6ms 8\n ${nodes}
      ledger capacity 8\n ledger work 5.2\n ledger shared ${shared}`;
    const input = buildInput(side(0), side(0.8));
    const told = (more: Readonly<Record<string, string | number>>): string =>
      plain(matrixIn({ ...input, b: { ...input.b, ...more } }).hosts[0]?.titles.threads ?? "");
    expect(told({ numa_memory: "bound" })).toBe("Threads: none lost to remote memory, caged 10.0 %");
    expect(told({ core_coherence: 0.1 })).toBe("Threads: none lost to shared blocks, caged 10.0 %");
  });
});

describe("the title of a spread that is not known", () => {
  it("says whether none ended, or too few to tell, and what is known of B alone is of B", () => {
    const input = buildInput("", `lio 3.0M\n response 600\n running 6ms 8\n ${nodes}`);
    const spread = (mean: number, fullA: AnalysisInput["fullA"] = null): string => {
      const full = input.fullB;
      if (full === null) throw new Error("no answer");
      const response = { ...full.report.response_ms, mean, count: 0 };
      const told = { ...full, report: { ...full.report, response_ms: response } };
      return plain(matrixIn({ ...input, fullA, fullB: told }).titles.spread);
    };
    const ofA = (count: number): string => {
      const full = input.fullB;
      if (full === null) throw new Error("no answer");
      const fullA = { ...full, report: { ...full.report, response_ms: { ...full.report.response_ms, count } } };
      return plain(matrixIn({ ...input, fullA }).titles.spread);
    };
    expect([ofA(0), ofA(9)]).toEqual(["Caged, 99 % end within 900 ms", "99 % of transactions end within 900 ms"]);
    expect(spread(0)).toBe("No transaction ended");
    expect(spread(158_000)).toBe("Too few transactions ended to tell their spread");
    expect(spread(158_000, input.fullB)).toBe("Caged, too few transactions ended to tell their spread");
  });
});

describe("titles of a server beside its answers on both sides", () => {
  const served = (more: string): string => `lio 3.0M\n response 600\n running 6ms 8\n ${nodes}\n service ${more}`;
  const own = (a: string, b: string, more: Partial<AnalysisInput> = {}): string =>
    plain(matrixIn(buildInput(served(a), served(b), more)).titles.service);
  it("are of both, or say whose they are", () => {
    expect(own("p99 11", "p99 5")).toBe("99 % are answered within 11 ms, caged 5 ms");
    expect(own("p99 11", "p99 11")).toBe("99 % of requests are answered within 11 ms");
    expect(own("p99 11", "p99 5 grows 90", { a: cagedValues })).toBe("In B, the server’s queue grows by 90 a second");
    expect(own("p99 5 grows 90", "p99 11")).toBe("Caged, 99 % of requests are answered within 11 ms");
    expect(own("grows 90", "grows 101")).toBe("The server’s queue grows by 90 a second, caged 101");
    expect(own("p99 11", "grows 101", { differs: [] })).toBe("The server’s queue grows by 101 a second");
  });
  it("so do waits that split in two on one side alone", () => {
    const counted = (counts: number[]): Record<string, number[]> => ({
      "histogram/run queue/edge_ms": [1, 2, 4, 8, 16], "histogram/run queue/count": counts,
    });
    const [split, even] = [counted([5, 0, 0, 5]), counted([0, 5, 5, 0])];
    const side = (columns: Record<string, number[]>, ms = 6) =>
      answerOf(`lio 3.0M\n response 600\n running 6ms 8\n queue ${ms}ms 3\n ${nodes}`, columns);
    const spread = (a: Record<string, number[]>, b: Record<string, number[]>): string =>
      plain(matrixIn({ ...buildInput("", ""), fullA: side(a), fullB: side(b) }).titles.spread);
    expect(spread(split, split)).toMatch(/^Waits split in two: about /);
    // Humps below what a wait is on average are many, and little of the time.
    const longer = { ...buildInput("", ""), fullA: side(split, 18), fullB: side(split, 18) };
    expect(matrixIn(longer).titles.spread).not.toMatch(/split/);
    expect(spread(even, split)).toMatch(/^Caged, waits split in two: about /);
    expect(spread(split, even)).toMatch(/^99 % /);
    const other = counted([0, 5, 0, 5]);
    expect(spread(other, split)).toBe(
      "Waits split in two: about 3 ms, or about 12 ms (caged about 1.5 ms, or about 12 ms)",
    );
    // Shorter, where it is of several hosts.
    const { preset, ...one } = buildInput("", "");
    const two = { ...one, preset: { ...preset, nodes: 2, instances: [1, 2] }, fullA: side(other), fullB: side(split) };
    expect(plain(matrixIn(two).titles.spread)).toBe(
      "Both hosts: waits are about 3 ms, or 12 ms (caged about 1.5 ms, or 12 ms)",
    );
  });
});

describe("transactions that waits split in two", () => {
  /** Counts of transactions from 128, 256 … ms on, and how long a wait is. */
  const side = (counts: number[], waitMs: number) =>
    answerOf(`lio 3.0M\n response 600\n running 6ms 8\n queue ${waitMs}ms 3\n ${nodes}`, {
      "histogram/run queue/edge_ms": [1, 2, 4], "histogram/run queue/count": [5, 5],
      "histogram/transaction/edge_ms": [128, 256, 512, 1024, 2048, 4096], "histogram/transaction/count": counts,
    });
  const [split, even] = [[5, 0, 0, 5, 0], [0, 5, 5, 0, 0]];
  const spread = (a: ReturnType<typeof side>, b: ReturnType<typeof side>): string =>
    plain(matrixIn({ ...buildInput("", ""), fullA: a, fullB: b }).titles.spread);
  // From the middle of 128 to 256 ms to that of 1,024 to 2,048 ms are 1.27 s.
  it("have humps about as far apart as a wait is long", () => {
    expect(spread(side(even, 1200), side(split, 1200))).toBe("Caged, waits of 1.2 s split transactions in two");
    expect(spread(side(even, 12), side(split, 12))).toMatch(/^99 % /);
    expect(spread(side(even, 12_000), side(split, 12_000))).toMatch(/^99 % /);
  });
  it("are told of the sides on which they are", () => {
    expect(spread(side(split, 1200), side(split, 1200))).toBe("Waits of 1.2 s split transactions in two");
    expect(spread(side(split, 1000), side(split, 1200))).toBe("Waits of 1 s (caged 1.2 s) split transactions in two");
    // What splits A's is another thing: so may it be in B.
    expect(spread(side(split, 12), side(split, 1200))).toMatch(/^99 % /);
  });
});

describe("the title of the threads", () => {
  it("is the loss that differs most, in percent of the capacity", () => {
    // Empty slots 0 and 0.71 of 8; refilling 0.6 and 0.05; siblings 2 and 1.52.
    expect(title(free, caged)).toBe("Threads: none lost to empty slots, caged 8.9 %");
    expect(title(free, caged.replace("cage_empty 0.71", "cage_empty 0.4"))).toBe(
      "Threads: 7.5 % lost to refills, caged 0.6 %",
    );
  });
  it("knows every cause of the ledger", () => {
    const latched = `${caged}\n ledger spinning 1.2`;
    expect(title(caged, latched)).toBe("Threads: none lost to latches, caged 15.0 %");
  });
  it("calls a wait by its event, and what is idle beside it not lost", () => {
    const waiting = (write: number, stall: number): string => `${free}\n ledger wait ${write} 1 db file parallel write
      ledger wait ${stall} 1 log file switch (checkpoint incomplete)\n ledger no_work 3`;
    expect(title(waiting(0.15, 0.9), waiting(0.42, 0.9))).toBe(
      "Threads: 1.9 % idle in db file parallel write, caged 5.3 %",
    );
    expect(title(waiting(0.15, 0), waiting(0.15, 0.4))).toBe("Threads: none idle in log file switch, caged 5.0 %");
  });
  it("is of one scenario its largest loss, and where nothing is lost how many are busy", () => {
    expect(title(free, caged, { differs: [] })).toBe("Threads: 19.0 % lost to siblings");
    const bare = `lio 3.0M\n response 600\n running 6ms 8\n node threads 8 useful 5 switch 0
      ledger capacity 8\n ledger work 5\n ledger no_work 3`;
    expect(title(bare, bare)).toBe("Threads: 5 of 8 busy");
    // What others do is no loss of sessions', but keeps threads busy.
    expect(title(bare, bare.replace("useful 5", "useful 2"))).toBe("Threads: 5 of 8 busy, caged 2");
    // Of other threads each side has its own.
    expect(title(bare.replace("threads 8", "threads 64"), bare)).toBe("Threads: 5 of 64 busy, caged 5 of 8");
    expect(title(bare, bare.replace("useful 5", "useful 0.0003"))).toBe("Threads: 5 of 8 busy, caged hardly any");
    expect(title(bare.replace("useful 5", "useful 0"), bare)).toBe("Threads: 0 of 8 busy, caged 5");
  });
});
