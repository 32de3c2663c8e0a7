/** Words for the dialog; the model's own paper says the same at length. */

export const leftOut = [
  {
    what: "Redo and writers, where workload is logical_reads",
    effect:
      "Sessions only read blocks that are in memory: log file sync and the I/O waits never appear. With oltp they "
        + "change blocks and commit, and log writer, database writers and checkpoint process work for them.",
  },
  {
    what: "Archiving, undo and direct I/O",
    effect:
      "No archiver keeps a log from being used again. Changes of undo count among the others. There is one buffer pool "
        + "and one log buffer without latches, and nothing is read or written past them. There is no automatic "
        + "checkpoint tuning.",
  },
  {
    what: "Which block it is",
    effect: "Buffers have no names: none is read because it was thrown out. A hot one is changed as often as another.",
  },
  {
    what: "What is inside disks and networks",
    effect:
      "A device takes so many requests at once, each for a drawn time whatever its size (but for the "
        + "log’s redo_io_mb_per_s), first come, first served: no cache, elevator or stripe. Between hosts lie ports "
        + "of a given bandwidth and a latency.",
  },
  {
    what: "Slaves of parallel queries that are short",
    effect:
      "Each coordinator has its own from the start. To get the next granule costs no message, and none is nearer to "
        + "one slave than to another. Reads from disk are part of the time of a row.",
  },
  {
    what: "Single logical reads",
    effect:
      "A transaction is one stretch of CPU of a known mean. Latches are drawn by the chance that their holder loses "
        + "the CPU, not get by get.",
  },
  {
    what: "Memory bandwidth and cache contents",
    effect:
      "Threads of a core share it by one yield curve; blocks shared between cores and sockets cost a given part of a "
        + "read. Which blocks they are does not matter.",
  },
  {
    what: "Thermal limits",
    effect: "Turbo follows the number of active cores alone. A core is as fast at the end of the hour as at its start.",
  },
  {
    what: "A noisy neighbour on the hypervisor",
    effect: "Virtual CPUs get their physical threads at all times; only their placement may move.",
  },
  {
    what: "AutoNUMA",
    effect: "Memory stays where the scenario puts it: pages never follow the processes that use them.",
  },
  {
    what: "Older balancing",
    effect:
      "CFS and EEVDF balance as Linux 6.6 (EEVDF of 6.8, 6.12 and 6.18 with what those add), CFS on request as 6.1 or "
        + "3.16, O(1) as 2.6.18. AIX levels the number of processes, and moves nobody who runs. Throughput "
        + "hardly depends on it; which session waits does.",
  },
  { what: "Folding and entitlement on AIX", effect: "Every virtual processor has a core of its own at all times." },
  {
    what: "Time in interrupts",
    effect: "A scenario says on which CPU an interrupt wakes somebody. Handling it costs nothing.",
  },
  { what: "Groups within groups", effect: "Control groups and CPU sets have one level. There is no autogroup." },
] as const;
