/** Addresses of values: `knob`, `knob@node3`, `knob@instance2`, `nice@session@node3`. Counted from 1. */
import { findKnob, type Catalogue, type Knob, type Preset } from "../engine";
import { quoted } from "./readValue";
import { ALL, Scopes, suffixOf, type Scope } from "./scope";

const MOST_DIGITS = 4;

export interface Address {
  readonly knob: Knob;
  /** As short as it can be said: without what there is but one of, and without the host of an instance. */
  readonly key: string;
}

/** `unknown`: a name that another version may know. */
export type ReadAddress = { readonly address: Address } | { readonly wrong: string } | "unknown";

type Part =
  { readonly of: "node" | "instance"; readonly count: number } | { readonly of: "kind"; readonly name: string };

/** What a part of a scope speaks of: `instance` and `2`. */
function partOf(catalogue: Catalogue, text: string): Part | null {
  const [, of, digits = ""] = /^(node|instance)(\d+)$/.exec(text) ?? [];
  if (of === "node" || of === "instance") return digits.length > MOST_DIGITS ? null : { of, count: Number(digits) };
  return catalogue.process_kinds.some(({ id }) => id === text) ? { of: "kind", name: text } : null;
}

/** The scope that the parts make, or what is wrong with them. */
function joined(preset: Preset, parts: readonly Part[]): Scope | string {
  const scope: { kind: string | null; instance: number | null; node: number | null } = { ...ALL };
  for (const part of parts) {
    if (scope[part.of] !== null)
      return `says its ${part.of === "kind" ? "process kind" : part.of} twice; an address says each part at most once`;
    if (part.of === "kind") {
      scope.kind = part.name;
      continue;
    }
    const most = part.of === "node" ? preset.nodes : preset.instances.length;
    if (part.count < 1 || part.count > most)
      return `there is no ${part.of} ${part.count}; the scenario has ${most === 1 ? "only one" : most}`;
    scope[part.of] = part.count;
  }
  return scope;
}

/** Why a knob cannot differ between such parts; null where it can. */
function misfit(scopes: Scopes, knob: Knob, scope: Scope): string | null {
  const { kind, instance, node } = scope;
  switch (knob.name_scope) {
    case "run":
      return suffixOf(scope) === "" ? null : "holds for the whole run and takes no scope";
    case "node":
      return kind === null && instance === null ? null : "belongs to a host: write @node1";
    case "instance":
      if (kind !== null) return "belongs to an instance: write @instance1, or @node1 for those of a host";
      break;
    case "kind":
      if (kind !== null && instance !== null && !scopes.isPerInstance(kind))
        return `there are processes of kind ${kind} by host, not by instance: write @${kind}@node1`;
  }
  if (scopes.isThere(knob, scope)) return null;
  return instance === null
    ? `no instance runs on node ${node}`
    : `instance ${instance} runs on node ${scopes.hostOf(instance)}, not on node ${node}`;
}

/** Reads the name of a value, its parts in any order. */
export function readAddress(catalogue: Catalogue, preset: Preset, key: string): ReadAddress {
  const [id = "", ...texts] = key.split("@");
  const knob = findKnob(catalogue, id);
  if (knob === null) return "unknown";
  const parts = texts.flatMap((text) => partOf(catalogue, text) ?? []);
  if (parts.length < texts.length) return "unknown";
  const scope = joined(preset, parts);
  if (typeof scope === "string") return { wrong: `${quoted(key)}: ${scope}.` };
  const scopes = new Scopes(catalogue, preset);
  const wrong = misfit(scopes, knob, scope);
  return wrong === null
    ? { address: { knob, key: `${id}${suffixOf(scopes.shortest(knob, scope))}` } }
    : { wrong: `${quoted(key)}: ${wrong}.` };
}
