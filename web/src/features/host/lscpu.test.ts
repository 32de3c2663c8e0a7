import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpusOf, readLscpu } from "./lscpu";

const intel = `Architecture:                    x86_64
CPU op-mode(s):                  32-bit, 64-bit
Byte Order:                      Little Endian
Address sizes:                   46 bits physical, 57 bits virtual
CPU(s):                          64
On-line CPU(s) list:             0-63
Thread(s) per core:              2
Core(s) per socket:              16
Socket(s):                       2
NUMA node(s):                    2
Vendor ID:                       GenuineIntel
Model name:                      Intel(R) Xeon(R) Gold 6326 CPU @ 2.90GHz
L3 cache:                        48 MiB
NUMA node0 CPU(s):               0-15,32-47
NUMA node1 CPU(s):               16-31,48-63
Vulnerability Spectre v2:        Mitigation; Enhanced IBRS: on
`;
const epyc = `Architecture:                       x86_64
  CPU op-mode(s):                   32-bit, 64-bit
CPU(s):                             256
  On-line CPU(s) list:              0-255
Vendor ID:                          AuthenticAMD
  BIOS Vendor ID:                   Advanced Micro Devices, Inc.
  Model name:                       AMD EPYC 7763 64-Core Processor
    BIOS Model name:                AMD EPYC 7763 64-Core Processor
    Thread(s) per core:             2
    Core(s) per socket:             64
    Socket(s):                      2
Caches (sum of all):
  L3:                               512 MiB (16 instances)
`;
const arm = `Architecture:           aarch64
CPU(s):                 64
On-line CPU(s) list:    0-63
Vendor ID:              ARM
Model name:             Neoverse-N1
Thread(s) per core:     1
Core(s) per socket:     64
Socket(s):              1
`;
const clusters = `Architecture:           aarch64
CPU(s):                 8
On-line CPU(s) list:    0-7
Model name:             Neoverse-V1
Thread(s) per core:     1
Core(s) per cluster:    8
Socket(s):              -
Cluster(s):             1
`;
const hybrid = `Architecture:           x86_64
CPU(s):                 16
On-line CPU(s) list:    0-15
Model name:             12th Gen Intel(R) Core(TM) i7-1260P
Thread(s) per core:     2
Core(s) per socket:     12
Socket(s):              1
`;
const bigLittle = `Architecture:           aarch64
CPU(s):                 8
On-line CPU(s) list:    0-7
Vendor ID:              ARM
Model name:             Cortex-A55
Thread(s) per core:     1
Core(s) per socket:     4
Socket(s):              1
Model name:             Cortex-A76
Thread(s) per core:     1
Core(s) per socket:     4
Socket(s):              1
`;
const kvm = `Architecture:            x86_64
CPU(s):                  8
On-line CPU(s) list:     0-7
Model name:              Intel Xeon Processor (Icelake)
Thread(s) per core:      1
Core(s) per socket:      1
Socket(s):               8
Hypervisor vendor:       KVM
Virtualization type:     full
`;
const siblingsOff = `Architecture:            x86_64
CPU(s):                  16
On-line CPU(s) list:     0-7
Off-line CPU(s) list:    8-15
Thread(s) per core:      1
Core(s) per socket:      8
Socket(s):               1
`;
const fewOff = `Architecture:            x86_64
CPU(s):                  16
On-line CPU(s) list:     0-12
Off-line CPU(s) list:    13-15
Thread(s) per core:      2
Core(s) per socket:      8
Socket(s):               1
`;
const power = `Architecture:         ppc64le
CPU(s):               160
On-line CPU(s) list:  0-159
Thread(s) per core:   8
Core(s) per socket:   10
Socket(s):            2
Model name:           POWER8 (raw), altivec supported
`;
const powerPartial = `Architecture:         ppc64le
CPU(s):               160
On-line CPU(s) list:  0-3,8-11,16-23,24-31
Off-line CPU(s) list: 4-7,12-15,32-159
Thread(s) per core:   6
Core(s) per socket:   4
Socket(s):            1
Model name:           POWER8 (raw), altivec supported
`;
const german = `Architektur:                     x86_64
CPU(s):                          8
Liste der Online-CPU(s):         0-7
Thread(s) pro Kern:              2
Kern(e) pro Sockel:              4
Sockel:                          1
`;
const centos6 = "CPU(s):                24\nOn-line CPU(s) list:   0-23\nThread(s) per core:    2\n"
  + "Core(s) per socket:    6\nCPU socket(s):         2\n";

function shapeOf(text: string): string {
  const { shape } = readLscpu(text);
  return shape === null ? "" : [shape.sockets, shape.cores_per_socket, shape.threads_per_core].join(" × ");
}
const perCache = (text: string): number | undefined => readLscpu(text).shape?.cores_per_llc;
const notesOf = (text: string): string[] =>
  readLscpu(text).notes.map(({ knob, text: said }) => `${knob ?? "all"}: ${said}`);

it("says of AIX and Solaris that lscpu is of Linux, and what tells the counts there", () => {
  const said = (text: string, scheduler?: string): readonly string[] =>
    readLscpu(text, scheduler).notes.filter(({ knob }) => knob === null).map(({ text: note }) => note);
  const [prtconf, psrinfo] = [
    "System Model: IBM,9009-42A\nNumber Of Processors: 8\nProcessor Clock Speed: 3000 MHz\n",
    "The physical processor has 8 virtual processors (0-7)\n  SPARC-T5 (chipid 0, clock 3600 MHz)\n",
  ];
  const english = "Only English names are read: LC_ALL=C lscpu prints them.";
  expect(said(prtconf, "AIX")).toEqual([
    "lscpu is of Linux. On AIX, fill in by hand what lparstat -i says: Online Virtual CPUs as cores, the SMT of its "
      + "Type as threads.",
  ]);
  expect(said(psrinfo, "Solaris")).toEqual([
    "lscpu is of Linux. On Solaris, fill in by hand what psrinfo -pv says: physical processors as sockets, their "
      + "cores, and virtual processors of a core as threads.",
  ]);
  expect([said(prtconf), said(prtconf, "CFS")]).toEqual([[english], [english]]);
  expect(said(intel, "AIX")).toEqual([]);
});

describe("what lscpu says for certain is taken", () => {
  it.each([
    ["two sockets of Intel", intel, "2 × 16 × 2"], ["two of EPYC, indented", epyc, "2 × 64 × 2"],
    ["ARM, a thread a core", arm, "1 × 64 × 1"], ["an old release", centos6, "2 × 6 × 2"],
    ["POWER, SMT8", power, "2 × 10 × 8"],
  ])("%s", (_, text, shape) => {
    expect(shapeOf(text)).toBe(shape);
    expect(notesOf(text)).toEqual([]);
  });

  it("counts cores of a last-level cache, where it says how many of those there are", () => {
    expect([intel, arm, power, kvm].map(perCache)).toEqual([0, 0, 0, 0]);
    const caches = (said: string): string => epyc.replace("(16 instances)", said);
    expect(["(16 instances)", "(2 instances)", "(64 instances)", "(128 instances)"].map((one) => perCache(caches(one))))
      .toEqual([8, 0, 2, 1]);
    expect(perCache(epyc.replace("  L3:   ", "L3 cache:"))).toBe(8);
    for (const [said, count] of [["(1 instance)", 1], ["(12 instances)", 12]] as const) {
      expect(perCache(caches(said))).toBe(0);
      expect(notesOf(caches(said))).toEqual([
        `all: L3 instances: ${count}, which do not share 2 × 64 cores evenly: one a socket is taken.`,
      ]);
    }
    expect(notesOf(caches(""))).toEqual([
      "all: It does not count the last-level caches: one a socket is taken (cores_per_llc = 0).",
    ]);
  });

  it("counts the lines of use, not those that only look so", () => {
    expect(readLscpu(intel)).toMatchObject({ lines: 16, read: 8, isPower: false });
    expect(readLscpu(power).isPower).toBe(true);
  });

  it("of a guest, and says so", () => {
    expect(shapeOf(kvm)).toBe("8 × 1 × 1");
    expect(notesOf(kvm)).toEqual(["all: A guest of KVM: its sockets and cores are what the hypervisor says."]);
  });

  it("of POWER with the same threads off on every core", () => {
    const smt1 = power.replace("0-159", Array.from({ length: 20 }, (_, core) => 8 * core).join(","))
      .replace("core:   8", "core:   1").replace("Thread", "Off-line CPU(s) list: 1-7\nThread");
    expect(shapeOf(smt1)).toBe("2 × 10 × 1");
  });

  it("of the CPUs that run, and names the others", () => {
    expect(shapeOf(siblingsOff)).toBe("1 × 8 × 1");
    expect(notesOf(siblingsOff)).toEqual(["all: 8 of 16 CPUs are offline (8-15)."]);
  });
});

describe("what lscpu leaves open is named, and nothing is guessed", () => {
  it.each([
    ["hybrid", hybrid, ["cores_per_socket: 1 × 12 × 2 = 24, but 16 CPUs run: its cores are unlike."]],
    ["kinds of cores", bigLittle, ["all: Unlike cores, Cortex-A55 and Cortex-A76: the model has cores of one kind."]],
    ["a few offline", fewOff, [
      "all: 3 of 16 CPUs are offline (13-15).",
      "cores_per_socket: 1 × 8 × 2 = 16, but 13 CPUs run: some cores have fewer threads on than others.",
    ]],
    ["SMT8 in part", powerPartial, [
      "all: 136 of 160 CPUs are offline (4-7,12-15,32-159).",
      "cores_per_socket: 1 × 4 × 6 = 24, and 24 CPUs run: some cores have fewer threads on than others.",
    ]],
    ["clusters", clusters, [
      "sockets: “Socket(s)” is “-”, which is no number.",
      "cores_per_socket: “Core(s) per socket” is not in it.",
      "all: Only English names are read: LC_ALL=C lscpu prints them.",
      "sockets: It counts cores by cluster, and does not say on which sockets those are.",
    ]],
    ["German", german, [
      "sockets: “Socket(s)” is not in it.", "cores_per_socket: “Core(s) per socket” is not in it.",
      "threads_per_core: “Thread(s) per core” is not in it.",
      "all: Only English names are read: LC_ALL=C lscpu prints them.",
    ]],
    ["half of JSON", '{"lscpu": [{"field": "CPU(s):", ', ["all: This JSON is cut off or broken."]],
  ])("%s", (_, text, notes) => {
    expect(shapeOf(text)).toBe("");
    expect(notesOf(text)).toEqual(notes);
  });
});

/** As `lscpu -J` writes it, flat; or with the counts below the model's name, as newer releases do. */
function json(text: string, isNested: boolean): string {
  const fields = text.trim().split("\n").map((line) => {
    const [, name = "", data = ""] = /^\s*([^:]+:)\s*(.*)$/.exec(line) ?? [];
    return { field: name, data };
  });
  if (!isNested) return JSON.stringify({ lscpu: fields });
  const isInner = ({ field }: { field: string }): boolean => /per (core|socket)|^Socket/.test(field);
  const [inner, outer] = [fields.filter(isInner), fields.filter((one) => !isInner(one))];
  const model = { field: "Model name:", data: "any", children: inner };
  return JSON.stringify({ lscpu: [...outer.filter(({ field }) => field !== "Model name:"),
    { field: "Vendor ID:", data: null, children: [model] }] });
}

it("JSON says what the text says, flat and nested", () => {
  for (const text of [intel, epyc, arm, hybrid, kvm, siblingsOff, fewOff, power, clusters])
    for (const isNested of [false, true]) {
      expect(shapeOf(json(text, isNested))).toBe(shapeOf(text));
      expect(notesOf(json(text, isNested))).toEqual(notesOf(text));
    }
});

it("counts CPUs of a list", () => {
  expect(["0", "0-3", "0-3,8", "0-1, 4-5", "3-1", "", "all"].map((list) => cpusOf(list)?.length)).toEqual(
    [1, 4, 5, 4, undefined, undefined, undefined],
  );
});

describe("of any text", () => {
  const upTo = (max: number) => fc.integer({ min: 1, max });
  const shape = fc.record({ s: upTo(16), c: upTo(64), t: upTo(8) });
  const text = (s: number, c: number, t: number, cpus: number, online: number): string =>
    `CPU(s): ${cpus}\r\nOn-line CPU(s) list: 0-${online - 1}\r\nThread(s) per core: ${t}\r\n`
    + `Core(s) per socket: ${c}\r\nSocket(s): ${s}\r\n`;

  it("the counts are taken if and only if they make the CPUs that run", () => {
    fc.assert(fc.property(shape, fc.integer({ min: 1, max: 9_000 }), fc.boolean(), ({ s, c, t }, other, isTrue) => {
      const online = isTrue ? s * c * t : other;
      const found = readLscpu(text(s, c, t, online, online)).shape;
      const whole = { sockets: s, cores_per_socket: c, threads_per_core: t, cores_per_llc: 0 };
      expect(found).toEqual(online === s * c * t ? whole : null);
    }));
  });

  it("offline CPUs are always named", () => {
    fc.assert(fc.property(shape, fc.integer({ min: 1, max: 99 }), ({ s, c, t }, off) => {
      const online = s * c * t;
      const all = online + off;
      expect(notesOf(text(s, c, t, all, online))).toEqual([`all: ${off} of ${all} CPUs are offline.`]);
    }));
  });

  it("nothing is thrown, and no count is made up", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), fc.json().map((one) => `{"lscpu":${one}}`)), (any) => {
      expect(readLscpu(any).shape).toBeNull();
    }));
  });
});
