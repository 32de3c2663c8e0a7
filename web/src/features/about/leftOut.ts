/** Words for the dialog; the model's own paper says the same at length. */

export const leftOut = [
  { what: "Redo, commits and the writers", effect: "Sessions only read blocks that are already in memory. log file sync and the I/O waits never appear." },
  { what: "Disks and networks", effect: "No physical reads, no interconnect. Response time is CPU, queue and cage alone." },
  { what: "Single logical reads", effect: "A transaction is one stretch of CPU of a known mean. Latches are drawn by the chance that their holder loses the CPU, not get by get." },
  { what: "Memory bandwidth and cache sharing", effect: "Threads of a core share it by one yield curve. Which data they touch does not matter." },
  { what: "Frequency changes and thermal limits", effect: "A core is as fast at the end of the hour as at its start." },
  { what: "A noisy neighbour on the hypervisor", effect: "Virtual CPUs get their physical threads at all times; only their placement may move." },
  { what: "NUMA distances", effect: "A migration costs the same whichever socket it ends on." },
] as const;

export const assumptions = [
  { knob: "switch_refill_us", why: "How long a session refills its cache after it got the CPU back. It decides whether caging wins or loses." },
  { knob: "vcpu_remap_ms", why: "How often a hypervisor moves virtual CPUs between threads." },
  { knob: "lio_per_transaction", why: "The published runs count reads, not transactions. It sets the response time, not the throughput." },
] as const;
