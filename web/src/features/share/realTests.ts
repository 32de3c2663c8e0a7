/**
 * What would check a preset on a real machine: the command line of a test that there is, or why there is none. They are
 * of the presets as they are, not of knobs that have moved.
 */

export interface RealTest {
  /** Null: no command line of a test at hand does this. */
  readonly command: string | null;
  /** What is compared, or why there is none. */
  readonly what: string;
  readonly tool: { readonly name: string; readonly address: string } | null;
}

const tools = {
  slob: { name: "SLOB", address: "https://kevinclosson.net/slob/" },
  cputoolkit: { name: "cputoolkit", address: "https://karlarao.wordpress.com/scripts-resources/" },
  rtTests: {
    name: "rt-tests", address: "https://wiki.linuxfoundation.org/realtime/documentation/howto/tools/rt-tests",
  },
} as const;

const test = (tool: keyof typeof tools, command: string, what: string): RealTest =>
  ({ command, what, tool: tools[tool] });
const none = (what: string): RealTest => ({ command: null, what, tool: null });

const reads = "UPDATE_PCT=0 in slob.conf, all blocks in the buffer cache";
const cage = `${reads}; once with resource_manager_plan set and cpu_count as here, once without a plan.`;
const writes = "UPDATE_PCT=100 in slob.conf";

export const realTests: Readonly<Record<string, RealTest>> = {
  "instance-caging-vm": test("slob", "sh ./runit.sh 32", cage),
  "instance-caging-metal": test("slob", "sh ./runit.sh 32", cage),
  "your-host": test("slob", "sh ./runit.sh 100", `${cage} The number is that of the sessions.`),
  "caging-nine-on-six": test(
    "slob", "sh ./runit.sh 9", `${reads}; once caged by cpu_count=6, once bound to six CPUs by processor_group_name.`,
  ),
  "two-instances": test(
    "slob", "sh ./runit.sh 12", `${reads}; on both instances at once, with each pair of cpu_count.`,
  ),
  "two-hosts": test("slob", "sh ./runit.sh 32", `${cage} On each host.`),
  "lpar-smt4": test(
    "cputoolkit", "sh cputoolkit 1 1 50 $ORACLE_SID", "From one session to fifty; reads a second, CPU time and PURR.",
  ),
  "soft-affinity-tpcc": none(
    "What was published is a TPC-C of two databases, which no line runs; soft affinity was a patch to the kernel.",
  ),
  "soft-affinity-hackbench": test(
    "rtTests", "hackbench --process --groups 4 --loops 10000",
    "Two at once, each under taskset for its socket or under none; soft affinity itself was a patch to the kernel.",
  ),
  "starved-service": test(
    "rtTests", "cyclictest --threads=1 --policy=fifo --priority=50 --interval=20000",
    "Beside four busy loops bound to the same two CPUs; then with --policy=other. It tells the delay, not the queue.",
  ),
  "dbwr-heavy": test(
    "slob", "sh ./runit.sh 16", `${writes}, small logs; once with db_writer_processes=1, once with 8.`,
  ),
  "dbwr-moderate": test(
    "slob", "sh ./runit.sh 16", `${writes} and think time; once with db_writer_processes=1, once with 8.`,
  ),
  "log-writer-starved": none("This is a host of AIX, and the tests at hand that write redo run under Linux."),
  "slow-redo-device": test(
    "slob", "sh ./runit.sh 16", `${writes}, logs on the slow device; arrivals are closed there, and open here.`,
  ),
  "cpu-queue": none("It checks the simulation against formulas; a database does not work at random by itself."),
  "starved-lms": none("No test at hand loads one node with hogs and measures the blocks that it sends."),
  "slow-redo-elsewhere": none("No test at hand slows the log of one node and measures blocks on another."),
  "sequence-nocache": none("What was published is a loop of 10,000 inserts under SQL trace, read by tkprof."),
  "small-table-index": none("What was published is a script of 100,000 executions under SQL trace, read by tkprof."),
  "bitmap-reads": none("What was published is a script of 100,000 executions under SQL trace, read by tkprof."),
  "px-across-nodes": none("None of the tests at hand runs a query of degree 4, once with PARALLEL_FORCE_LOCAL=TRUE."),
};
