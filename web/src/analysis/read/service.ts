/** The servers of a host: what was asked of them, what they answered, and what theory says of one alone. */
import type { Report, ServiceRow } from "../../engine";
import { formatHalfWidth, formatMs, NBSP } from "../../units";
import { valuesAt } from "./host";
import { numberOf, type Values } from "./input";

/** The slowest, or that of one host, counted from 1. */
export function serviceIn(report: Report, node: number | null = null): ServiceRow | null {
  if (node !== null) return report.services.find((row) => row.node === node) ?? null;
  const tail = ({ response_ms: { p99 } }: ServiceRow): number => p99 ?? 0;
  return report.services.toSorted((one, other) => tail(other) - tail(one))[0] ?? null;
}

export const halfOf = (half: number, value: number): string => `${formatHalfWidth((100 * half) / value, 0)}${NBSP}%`;

/** A 99th percentile with its interval; without one, what it is about. */
export function tailOf({ p99, p99_ci95: half }: ServiceRow["response_ms"]): string {
  if (p99 === null) return formatMs(p99);
  return half === null ? `about ${formatMs(p99)}` : `${formatMs(p99)} ${halfOf(half, p99)}`;
}

/** How many servers a host has. */
export const serversOn = (values: Values, node: number): number =>
  Math.max(1, numberOf(valuesAt(values, node), "service_servers", 1));

/** Squared coefficients of variation of the three shapes. */
const VARIATION: Readonly<Record<string, number>> = { constant: 0, exponential: 1, hyperexponential: 4 };

/** CPUs that the requests to one server ask for. */
export function offeredCpus(values: Values): number {
  return (numberOf(values, "service_per_s", 0) * numberOf(values, "service_us", 0)) / 1e6;
}

/**
 * Mean answer of a server with a CPU to itself and no cost of switching (Pollaczek and Khinchine); periodic requests
 * that all take as long meet nobody. Null: no CPU is enough, or no formula says.
 */
export function aloneMs(values: Values): number | null {
  const load = offeredCpus(values);
  const serviceMs = numberOf(values, "service_us", 0) / 1000;
  const variation = VARIATION[String(values["service_distribution"] ?? "constant")];
  const isPeriodic = values["service_arrivals"] === "periodic";
  if (load >= 1 || variation === undefined || (isPeriodic && variation > 0)) return null;
  return serviceMs + (isPeriodic ? 0 : (load * serviceMs * (1 + variation)) / (2 * (1 - load)));
}
