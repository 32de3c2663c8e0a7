/** Addresses of values: `knob`, `knob@instance2`, `nice@session`. Counted from 1. */
import { findKnob, splitScope, type Catalogue, type Knob, type Preset } from "../engine";
import { quoted } from "./readValue";

/** A preset has one host. */
const NODES = 1;
const MOST_DIGITS = 4;

export interface Address {
  readonly knob: Knob;
  /** As it is written: without a scope where there is but one such part. */
  readonly key: string;
}

/** `unknown`: a name that another version may know. */
export type ReadAddress = { readonly address: Address } | { readonly wrong: string } | "unknown";

type NameScope = Knob["name_scope"];

const own: Readonly<Record<NameScope, string>> = {
  run: "holds for the whole run and takes no scope", node: "belongs to a host: write @node1",
  instance: "belongs to an instance: write @instance1",
  kind: "belongs to a process kind: write @session, @background or @service",
};

/** What a scope speaks of: `instance` and `2`. */
function partOf(
  catalogue: Catalogue, scope: string,
): { readonly of: NameScope; readonly count: number; readonly name: string } | null {
  const [, of, digits = ""] = /^(node|instance)(\d+)$/.exec(scope) ?? [];
  if (of === "node" || of === "instance")
    return digits.length > MOST_DIGITS ? null : { of, count: Number(digits), name: `${of}${Number(digits)}` };
  return catalogue.process_kinds.some(({ id }) => id === scope) ? { of: "kind", count: 1, name: scope } : null;
}

/** Reads the name of a value, for a preset of so many instances. */
export function readAddress(catalogue: Catalogue, preset: Preset, key: string): ReadAddress {
  const { id, scope } = splitScope(key);
  const knob = findKnob(catalogue, id);
  if (knob === null) return "unknown";
  if (scope === null) return { address: { knob, key: id } };
  const part = partOf(catalogue, scope);
  if (part === null) return "unknown";
  const parts = { run: 0, node: NODES, instance: preset.instances, kind: 1 }[part.of];
  if (part.count < 1 || part.count > parts)
    return {
      wrong: `${quoted(key)}: there is no ${part.of} ${part.count}; the scenario has `
        + `${parts === 1 ? "only one" : parts}.`,
    };
  if (part.of !== knob.name_scope) return { wrong: `${quoted(key)} ${own[knob.name_scope]}.` };
  return { address: { knob, key: part.of !== "kind" && parts === 1 ? id : `${id}@${part.name}` } };
}

/** The parts that a knob can differ between: `@instance1`; empty text where there is but one. */
export function partsOf(catalogue: Catalogue, preset: Preset, knob: Knob): readonly string[] {
  if (knob.name_scope === "kind") return catalogue.process_kinds.map(({ id }) => `@${id}`);
  if (knob.name_scope !== "instance" || preset.instances === 1) return [""];
  return Array.from({ length: preset.instances }, (_, i) => `@instance${i + 1}`);
}
