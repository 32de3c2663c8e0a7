/** What `lscpu` says of a host: its English text, or the JSON of `lscpu -J`, flat or nested. */

/** What is named beside a knob, or of all of them (null). */
export interface Named {
  readonly knob: "sockets" | "cores_per_socket" | "threads_per_core" | null;
  readonly text: string;
}

export interface Shape {
  readonly sockets: number;
  readonly cores_per_socket: number;
  readonly threads_per_core: number;
  /** 0: all of a socket. */
  readonly cores_per_llc: number;
}

type Counts = Omit<Shape, "cores_per_llc">;

export interface Lscpu {
  /** Lines that there are, and those that were of use. */
  readonly lines: number;
  readonly read: number;
  /** Null where the text leaves it open. */
  readonly shape: Shape | null;
  readonly isPower: boolean;
  readonly notes: readonly Named[];
}

type Field = readonly [name: string, data: string];

/** Longest text that is read [characters]. */
const MOST = 100_000;
const COUNTS = [
  ["sockets", "Socket(s)"], ["cores_per_socket", "Core(s) per socket"], ["threads_per_core", "Thread(s) per core"],
] as const;
/** More than any Linux has; and the numbers that a core of POWER takes, whether its threads run or not. */
const MOST_CPUS = 8_192;
const POWER_THREADS = 8;
/** What older versions write. */
const OLD: Readonly<Record<string, string>> = { "cpu socket(s)": "socket(s)" };
const USED = new Set([
  "architecture", "cpu(s)", "on-line cpu(s) list", "off-line cpu(s) list", "thread(s) per core", "core(s) per socket",
  "socket(s)", "model name", "hypervisor vendor", "l3", "l3 cache",
]);

function fieldOf(name: string, data: string): Field {
  const plain = name.trim().replace(/:$/, "").trim().toLowerCase();
  return [OLD[plain] ?? plain, data.trim()];
}

/** Fields of `-J`, those within others after them. */
function flat(list: unknown): Field[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: { field?: unknown; data?: unknown; children?: unknown } | null) => {
    const { field, data, children } = one ?? {};
    const own = typeof field === "string" ? [fieldOf(field, typeof data === "string" ? data : "")] : [];
    return [...own, ...flat(children)];
  });
}

function fieldsOf(text: string): readonly Field[] | string {
  if (text.length > MOST) return "That is too long for the output of lscpu.";
  if (!/^\s*[{[]/.test(text))
    return text.split(/\r?\n/).flatMap((line) => {
      const [, name, data = ""] = /^([^:]+):(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [fieldOf(name, data)];
    });
  try {
    const read: unknown = JSON.parse(text);
    return flat(Array.isArray(read) ? read : (read as { lscpu?: unknown }).lscpu);
  } catch {
    return "This JSON is cut off or broken.";
  }
}

/** The CPUs that a list such as 0-3,8 names; null where it is none. */
export function cpusOf(list: string): readonly number[] | null {
  const cpus: number[] = [];
  for (const part of list.split(",")) {
    const [, from, to] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? [];
    if (from === undefined || Number(to ?? from) < Number(from)) return null;
    for (let cpu = Number(from); cpu <= Number(to ?? from); cpu += 1) cpus.push(cpu);
    if (cpus.length > MOST_CPUS) return null;
  }
  return cpus;
}

const byHand = (os: string, says: string): string => `lscpu is of Linux. On ${os}, fill in by hand what ${says}`;

/** What to do where there is no lscpu, by scheduler. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["AIX", byHand("AIX", "lparstat -i says: Online Virtual CPUs as cores, the SMT of its Type as threads.")],
  ["Solaris", byHand(
    "Solaris",
    "psrinfo -pv says: physical processors as sockets, their cores, and virtual processors of a core as threads.",
  )],
]);

class Reading {
  readonly notes: Named[] = [];
  private readonly fields: readonly Field[];
  private readonly scheduler: string;

  constructor(fields: readonly Field[], scheduler: string) {
    this.fields = fields;
    this.scheduler = scheduler;
  }

  all(name: string): readonly string[] {
    return this.fields.filter(([own]) => own === name).map(([, data]) => data);
  }

  whole(name: string): number | null {
    const [data = ""] = this.all(name);
    return /^\d{1,6}$/.test(data) && Number(data) > 0 ? Number(data) : null;
  }

  get isPower(): boolean {
    return /^ppc/i.test(this.all("architecture")[0] ?? "");
  }

  note(text: string, knob: Named["knob"] = null): void {
    this.notes.push({ knob, text });
  }

  /** The three counts, or what of them is not there. */
  counts(): Counts | null {
    const shape = { sockets: 0, cores_per_socket: 0, threads_per_core: 0 };
    for (const [knob, name] of COUNTS) {
      const [data] = this.all(name.toLowerCase());
      shape[knob] = this.whole(name.toLowerCase()) ?? 0;
      if (data === undefined) this.note(`“${name}” is not in it.`, knob);
      else if (shape[knob] === 0) this.note(`“${name}” is “${data.slice(0, 20)}”, which is no number.`, knob);
    }
    const isWhole = Object.values(shape).every((count) => count > 0);
    if (!isWhole && COUNTS.some(([, name]) => this.all(name.toLowerCase()).length === 0))
      this.note(ELSEWHERE.get(this.scheduler) ?? "Only English names are read: LC_ALL=C lscpu prints them.");
    if (!isWhole && this.all("cluster(s)").length > 0)
      this.note("It counts cores by cluster, and does not say on which sockets those are.", "sockets");
    return isWhole ? shape : null;
  }

  /** Cores of several kinds, each with counts of its own. */
  isMixed(): boolean {
    if (!COUNTS.some(([, name]) => this.all(name.toLowerCase()).length > 1)) return false;
    const kinds = this.all("model name").map((name) => name.slice(0, 40)).join(" and ");
    this.note(`Unlike cores${kinds === "" ? "" : `, ${kinds}`}: the model has cores of one kind.`);
    return true;
  }

  /** CPUs that run; what is offline is told. */
  running(): number | null {
    const [all, [list = ""], [off = ""]] = [
      this.whole("cpu(s)"), this.all("on-line cpu(s) list"), this.all("off-line cpu(s) list"),
    ];
    const online = cpusOf(list)?.length ?? null;
    if (online === null || all === null || online >= all) return online ?? all;
    this.note(`${all - online} of ${all} CPUs are offline${off === "" ? "" : ` (${off.slice(0, 40)})`}.`);
    return online;
  }

  /** Whether all cores of POWER have as many threads on; of others the counts alone tell. */
  private areCoresAlike(threads: number): boolean {
    if (!this.isPower || this.all("off-line cpu(s) list").length === 0) return true;
    const on = new Map<number, number>();
    for (const cpu of cpusOf(this.all("on-line cpu(s) list")[0] ?? "") ?? [])
      on.set(Math.floor(cpu / POWER_THREADS), (on.get(Math.floor(cpu / POWER_THREADS)) ?? 0) + 1);
    return [...on.values()].every((count) => count === threads);
  }

  /** Whether the counts make the CPUs that run. */
  fits({ sockets, cores_per_socket: cores, threads_per_core: threads }: Counts): boolean {
    const [product, before] = [sockets * cores * threads, this.notes.length];
    const running = this.running();
    if ((running === null || running === product) && this.areCoresAlike(threads)) return true;
    const why = this.notes.length > before ? "some cores have fewer threads on than others" : "its cores are unlike";
    this.note(
      `${sockets} × ${cores} × ${threads} = ${product}, ${running === product ? "and" : "but"} ${running} CPUs run: `
        + `${why}.`,
      "cores_per_socket",
    );
    return false;
  }

  /** Cores of a last-level cache, where it says how many of those there are and they are alike. */
  coresPerCache({ sockets, cores_per_socket: cores }: Counts): number {
    const said = this.all("l3")[0] ?? this.all("l3 cache")[0] ?? "";
    const caches = Number(/\((\d{1,5}) instances?\)/.exec(said)?.[1] ?? 0);
    const share = (sockets * cores) / caches;
    if (caches > 0 && Number.isInteger(share) && cores % share === 0) return share === cores ? 0 : share;
    if (caches > 0)
      this.note(
        `L3 instances: ${caches}, which do not share ${sockets} × ${cores} cores evenly: one a socket is taken.`,
      );
    else if (this.all("vendor id").includes("AuthenticAMD"))
      this.note("It does not count the last-level caches: one a socket is taken (cores_per_llc = 0).");
    return 0;
  }
}

/** `scheduler`: that of the host, which tells its operating system. */
export function readLscpu(text: string, scheduler = ""): Lscpu {
  const fields = fieldsOf(text);
  const nothing = { lines: 0, read: 0, shape: null, isPower: false };
  if (typeof fields === "string") return { ...nothing, notes: [{ knob: null, text: fields }] };
  const read = fields.filter(([name]) => USED.has(name)).length;
  const reading = new Reading(fields, scheduler);
  const isMixed = reading.isMixed();
  const counts = isMixed ? null : reading.counts();
  const isWhole = counts !== null && reading.fits(counts);
  const shape = isWhole ? { ...counts, cores_per_llc: reading.coresPerCache(counts) } : null;
  const [vendor] = reading.all("hypervisor vendor");
  if (shape !== null && vendor !== undefined)
    reading.note(`A guest of ${vendor.slice(0, 20)}: its sockets and cores are what the hypervisor says.`);
  return { lines: fields.length, read, shape, isPower: reading.isPower, notes: reading.notes };
}
