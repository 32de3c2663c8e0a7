import { createHash } from "node:crypto";

/**
 * What today's digests were made of: none of it may move but by a change that says so. What is added to a report is not
 * here.
 */
const kept = ["throughput", "response_ms", "waits", "on_cpu", "aas", "instances", "processes", "nodes", "services",
  "simulated_s", "warmup_s", "replications", "batches", "batch_s", "events", "precision"];

/**
 * The figures of a report that the kept digests are about: the one place that follows when the report changes its form.
 */
export function figuresOf(report) {
  return Object.fromEntries(kept.map((key) => [key, report[key] ?? null]));
}

/** The digest of some reports' figures, 16 hexadecimal digits. */
export function digestOf(reports) {
  const text = reports.map((report) => JSON.stringify(figuresOf(JSON.parse(report)))).join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Presets whose digest is another than the kept one, or has none, in words; and kept ones without a preset. */
export function moved(found, held) {
  const names = [...new Set([...Object.keys(found), ...Object.keys(held)])].toSorted();
  return names
    .filter((name) => found[name] !== held[name])
    .map((name) => `${name}: ${held[name] ?? "none"} is kept, ${found[name] ?? "none"} was found`);
}
