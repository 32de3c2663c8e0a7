/** Words for the dialog; the model's own paper says the same at length. */

export const leftOut = [
  { what: "Redo, commits and the writers", effect: "Sessions only read blocks that are already in memory. log file sync and the I/O waits never appear." },
  { what: "Disks and networks", effect: "No physical reads, no interconnect. Response time is CPU, queue and cage alone." },
  { what: "Single logical reads", effect: "A transaction is one stretch of CPU of a known mean. Latches are drawn by the chance that their holder loses the CPU, not get by get." },
  { what: "Memory bandwidth and cache sharing", effect: "Threads of a core share it by one yield curve. Which data they touch does not matter." },
  { what: "Frequency changes and thermal limits", effect: "A core is as fast at the end of the hour as at its start." },
  { what: "A noisy neighbour on the hypervisor", effect: "Virtual CPUs get their physical threads at all times; only their placement may move." },
  { what: "Distances in memory", effect: "All memory is equally near to every socket. Only the refill after a move to another socket is counted." },
] as const;
