/** Means and Student-t intervals over independent replications. */

/** 97.5 % quantile of Student's t for 1..30 degrees of freedom. */
const T_975 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
] as const;

const Z_975 = 1.959964;

/**
 * Quantile of Student's t that leaves 2.5 % above it. Beyond the table: the first two terms of its expansion about the
 * normal one.
 */
export function studentT975(degreesOfFreedom: number): number {
  const row = T_975[Math.floor(degreesOfFreedom) - 1];
  if (row !== undefined) return row;
  if (!(degreesOfFreedom >= 1)) return Number.POSITIVE_INFINITY;
  const z = Z_975;
  const first = (z ** 3 + z) / (4 * degreesOfFreedom);
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degreesOfFreedom ** 2);
  return z + first + second;
}

export function mean(values: readonly number[]): number {
  if (values.length === 0) return 0;
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** 95 % half-width of the mean of independent values; null for fewer than two. */
export function halfWidth95(values: readonly number[]): number | null {
  const n = values.length;
  if (n < 2) return null;
  const centre = mean(values);
  let squares = 0;
  for (const value of values) squares += (value - centre) ** 2;
  return studentT975(n - 1) * Math.sqrt(squares / (n - 1) / n);
}

export interface Paired {
  readonly mean: number;
  readonly ci95: number | null;
  readonly pairs: number;
}

/** Mean of b − a over replications that shared their seeds, which leaves only what the two scenarios do differently. */
export function pairedDifference(a: readonly number[], b: readonly number[]): Paired {
  const pairs = Math.min(a.length, b.length);
  const differences: number[] = [];
  for (let i = 0; i < pairs; i++) differences.push((b[i] ?? 0) - (a[i] ?? 0));
  return { mean: mean(differences), ci95: halfWidth95(differences), pairs };
}

/** x where the straight line through two points meets zero; null when it does not between them. */
export function zeroBetween(x0: number, y0: number, x1: number, y1: number): number | null {
  if (y0 === y1 || y0 * y1 > 0) return null;
  return x0 + ((x1 - x0) * y0) / (y0 - y1);
}
