/**
 * Random links: names and values right and wrong, scopes, repeated and unknown keys, A's own, and escapes of every
 * kind.
 */
import * as fc from "fast-check";
import type { Catalogue, Knob, Preset } from "../engine";

const wrongNumbers = [
  "",
  "-1",
  "1e999",
  "NaN",
  "inf",
  "0x10",
  "1_000",
  "1.5.2",
  "٣",
  "1e",
  ".",
  "2.5",
  "99999999999",
  "１",
];
const number = (knob: Knob): fc.Arbitrary<string> => {
  const [min, max] = [knob.min ?? 0, knob.max ?? 1];
  // By the logarithm from nought: from the first whole number.
  const low = min > 0 ? min : 1;
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const value = place.map((at) =>
    knob.scale === "log" ? Math.max(min, low * (max / low) ** at) : min + (max - min) * at ** 4,
  );
  const right = value.map((one) => (knob.kind === "integer" ? Math.round(one) : one));
  const spelt = fc.oneof(
    { arbitrary: right.map(String), weight: 8 },
    right.map((one) => one.toExponential()),
    right.map((one) => ` +${one} `),
    fc.constantFrom(String(min), String(max), "-0", "0", ".5", "5.", "1E0", "007"),
  );
  return fc.oneof({ arbitrary: spelt, weight: 100 }, { arbitrary: fc.constantFrom(...wrongNumbers), weight: 1 });
};

const cpus = fc.oneof(
  {
    arbitrary: fc.constantFrom("all", "ALL", "0", "0-3", "1,3,5-7", " 4-7, 0 - 1", "0-1,1-2,3", "0-43", "5,4,3"),
    weight: 40,
  },
  fc.constantFrom("", "3-1", "0-3,,5", "-1", "0-10000", "x", "0 3", "12345678901"),
);

function textFor(knob: Knob): fc.Arbitrary<string> {
  if (knob.kind === "cpus") return cpus;
  if (knob.kind === "vector") {
    const vector = fc
      .array(number(knob), { minLength: 1, maxLength: 4 })
      .chain((parts) => fc.constantFrom("/", ",").map((by) => parts.join(by)));
    return fc.oneof(
      { arbitrary: vector, weight: 3 },
      { arbitrary: fc.constantFrom("1.2", "1/1.4/1.52/1.6", "1/1.5"), weight: 3 },
      { arbitrary: fc.constantFrom("1/", Array(17).fill("1").join("/")), weight: 1 },
    );
  }
  if (knob.kind !== "choice") return number(knob);
  const words = fc.constantFrom(...(knob.choices ?? []));
  return fc.oneof(
    { arbitrary: words, weight: 60 },
    words.map((word) => word.toLowerCase()),
    words.map((word) => ` ${word}`),
    { arbitrary: fc.constantFrom("magic", "", "\u212a"), weight: 1 },
  );
}

/** Some letters as escapes, as any program may write them. */
const encodedIn = (text: string, isWhole: boolean): string =>
  isWhole
    ? [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
    : new URLSearchParams([["k", text]]).toString().slice(2);

const wrongScopes = [
  "@node2",
  "@node3",
  "@instance3",
  "@instance0",
  "@lgwr",
  "@",
  "@@",
  "@instanceX",
  "@session",
  "@node1@node1",
  "@session@background",
  "@instance1@instance2",
  "@instance2@node1",
  "@lgwr@node1",
  "@node1@",
  "@service@instance1",
];

/** Products of the parts that a knob can have, in any order; now and then of others, and of some that are not there. */
function scopesOf(knob: Knob, { nodes, instances }: Preset, kinds: readonly string[]): fc.Arbitrary<string> {
  const maybe = (parts: readonly string[]): fc.Arbitrary<string> =>
    fc.oneof(fc.constant(""), fc.constantFrom(...parts));
  const numbered = (of: string, count: number): string[] => Array.from({ length: count }, (_, i) => `@${of}${i + 1}`);
  const [node, instance] = [numbered("node", nodes), [...numbered("instance", instances.length), "@instance01"]];
  const some = {
    run: [],
    node: [node],
    instance: [instance, node],
    kind: [kinds.map((kind) => `@${kind}`), instance, node],
  }[knob.name_scope];
  const own = fc
    .tuple(fc.tuple(...some.map(maybe)), fc.boolean())
    .map(([parts, isBackwards]) => (isBackwards ? parts.toReversed() : parts).join(""));
  return fc.oneof({ arbitrary: own, weight: 160 }, fc.constantFrom(...wrongScopes));
}

/** Values that decide what others mean are said more often than by chance. */
const deciding = [
  "os_scheduler",
  "resource_manager_plan",
  "cpu_count",
  "tick_hz",
  "arrivals",
  "class",
  "affinity",
  "sockets",
  "cores_per_socket",
  "threads_per_core",
  "service_per_s",
  "background_processes",
];
const prefix = fc.constantFrom("", "", "a.");

function knobPair({ knobs, process_kinds }: Catalogue, preset: Preset): fc.Arbitrary<string> {
  const kinds = process_kinds.map(({ id }) => id);
  const decide = knobs.filter(({ id }) => deciding.includes(id));
  const some = fc.oneof(fc.constantFrom(...knobs), fc.constantFrom(...(decide.length === 0 ? knobs : decide)));
  return some.chain((knob) =>
    fc
      .tuple(prefix, fc.constant(knob.id), scopesOf(knob, preset, kinds), textFor(knob), fc.boolean(), fc.nat(9))
      .map(
        ([before, id, scope, text, isWhole, chance]) =>
          `${before}${chance === 0 ? encodedIn(id, true) : id}${scope}=${encodedIn(text, isWhole && chance === 1)}`,
      ),
  );
}

const otherPair = fc.constantFrom(
  "warp=9",
  "a.flux=1",
  "cpu_cuont=4",
  "view.mood=blue",
  "view.theme=dark",
  "y=cpu_time",
  "view.x=sessions",
  "a=",
  "a=1",
  "a",
  "title=Hello+%C2%B5",
  "title=x&title=y",
  "note=",
  "&&",
  "=",
  "seed=7",
  "seed=-1",
  "__proto__=1",
  "a.__proto__=2",
  "a.title=x",
  "sessions=%E0%A4%A",
  "%zz=1",
  "sessions=9&sessions=10",
  "t=0..5",
  `title=${"x".repeat(121)}`,
  `title=${encodeURIComponent("💥".repeat(119))}`,
);

/** Every scope that a knob of process kinds can have in a preset, each as short as it can be said. */
function rightScopes({ process_kinds }: Catalogue, { nodes, instances }: Preset): readonly string[] {
  const hosts = nodes === 1 ? [] : Array.from({ length: nodes }, (_, i) => `@node${i + 1}`);
  const parts = instances.length === 1 ? [] : instances.map((_, i) => `@instance${i + 1}`);
  const ofKind = ({ id, per }: Catalogue["process_kinds"][number]): string[] =>
    ["", ...hosts, ...(per === "instance" ? parts : [])].map((part) => `@${id}${part}`);
  return ["", ...hosts, ...parts, ...process_kinds.flatMap(ofKind)];
}

/** Several values of one knob that are all right, so that it matters which of them holds where. */
function crossing(catalogue: Catalogue, preset: Preset): fc.Arbitrary<string[]> {
  const knobs = catalogue.knobs.filter(({ name_scope, kind }) => name_scope === "kind" && kind === "integer");
  const scopes = rightScopes(catalogue, preset);
  if (knobs.length === 0) return fc.constant([]);
  return fc.constantFrom(...knobs).chain(({ id, min, max }) => {
    const key = fc.tuple(prefix, fc.constantFrom(...scopes)).map(([before, scope]) => `${before}${id}${scope}`);
    const value = fc.integer({ min: Math.max(1, min ?? 1), max: max ?? 99 });
    return fc.uniqueArray(fc.tuple(key, value), { selector: ([one]) => one, minLength: 2, maxLength: 7 })
      .map((pairs) => pairs.map(([one, number]) => `${one}=${number}`));
  });
}

/** Links of the scenarios of a catalogue; those of several instances more often, and of several hosts yet more. */
export function randomLinks(catalogue: Catalogue): fc.Arbitrary<string> {
  const several = catalogue.presets.filter(({ instances }) => instances.length > 1);
  const apart = catalogue.presets.filter(({ nodes }) => nodes > 1);
  return fc.constantFrom(...catalogue.presets, ...several, ...apart, ...apart, ...apart).chain((preset) =>
    fc
      .tuple(
        fc.oneof(
          { arbitrary: fc.array(knobPair(catalogue, preset), { maxLength: 7 }), weight: 2 },
          crossing(catalogue, preset),
        ),
        fc.array(otherPair, { maxLength: 2 }),
        fc.nat(5),
        fc.boolean(),
      )
      .map(([pairs, others, chance, isFirst]) => {
        const more = chance === 0 ? others : [];
        return `#v1/${preset.id}?${[...(isFirst ? more : []), ...pairs, ...(isFirst ? [] : more)].join("&")}`;
      }),
  );
}
