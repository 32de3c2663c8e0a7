/** Work of a core with 1, 2, … threads busy, as measured or published. */
export interface NamedVector {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly threads: number;
  readonly yields: string;
}

export const namedVectors: readonly NamedVector[] = [
  { id: "none", label: "No SMT", detail: "one thread a core", threads: 1, yields: "1" },
  { id: "x86", label: "x86, two threads", detail: "1/1.3", threads: 2, yields: "1/1.3" },
  { id: "sandy", label: "Sandy Bridge, SLOB", detail: "1/1.31", threads: 2, yields: "1/1.31" },
  { id: "ivy", label: "Ivy Bridge in a VM, SLOB", detail: "1/1.5", threads: 2, yields: "1/1.5" },
  {
    id: "power7", label: "POWER7, SMT4",
    detail: "published for 1, 2 and 4 threads; 3 (1.52) interpolated",
    threads: 4, yields: "1/1.4/1.52/1.6",
  },
  {
    id: "power8", label: "POWER8, SMT8",
    detail: "published for 1, 2, 4 and 8 threads; 3 (1.7) and those between 4 (1.89) and 8 (2) interpolated",
    threads: 8, yields: "1/1.45/1.7/1.89/1.92/1.95/1.97/2",
  },
];

/** The one that is set, if it is one of these. A single number is the yield of a full core of two. */
export function vectorOf(threads: number, yields: string | number): NamedVector | null {
  const text = typeof yields === "number" ? (threads === 1 ? "1" : `1/${yields}`) : yields.replaceAll(",", "/");
  const numbers = (one: string): string => one.split("/").map(Number).join("/");
  return (
    namedVectors.find((one) => one.threads === threads && (threads === 1 || numbers(one.yields) === numbers(text)))
    ?? null
  );
}
