import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, wasmWorkspace } from "./paths.mjs";
import { Told, main, run } from "./shell.mjs";
import { isMain } from "./steps.mjs";

/** Rows of the table of who may import whom that are crates: the folder each stands for, and the names it may use. */
export function rowsOfCrates(text) {
  const rows = [...text.matchAll(/^\| (crates\/\w+|sim-wasm \(root\)) \| ([^|]*) \|/gm)];
  return rows.map(([, place, allowed]) => {
    const words = allowed.split(",").map((word) => word.trim()).filter((word) => word !== "nothing");
    const isOurs = (word) => /^\w+$/.test(word);
    const names = words.map((word) => (isOurs(word) ? `wwi-${word}` : word.replaceAll("`", "")));
    return { place, folder: place.startsWith("crates/") ? place : ".", names: names.toSorted() };
  });
}

/** Packages of `cargo metadata`: folder under the workspace, and what each depends on outside its tests. */
export function dependenciesOf(metadata) {
  return metadata.packages.map(({ manifest_path: manifest, dependencies }) => ({
    folder: manifest.slice(metadata.workspace_root.length + 1).replace(/\/?Cargo\.toml$/, "") || ".",
    names: [...new Set(dependencies.filter(({ kind }) => kind !== "dev").map(({ name }) => name))].toSorted(),
  }));
}

/** What the table says and the crates do not, both ways. */
export function crateFaults(text, metadata) {
  const rows = rowsOfCrates(text);
  const found = dependenciesOf(metadata);
  const without = found.filter(({ folder }) => !rows.some((row) => row.folder === folder));
  return [
    ...without.map(({ folder }) => `ARCHITECTURE.md: no row for the crate in ${folder}`),
    ...rows.flatMap(({ place, folder, names }) => {
      const crate = found.find((one) => one.folder === folder);
      if (crate === undefined) return [`ARCHITECTURE.md: there is no crate ${place}`];
      return [
        ...crate.names.filter((name) => !names.includes(name)).map((name) => `${place} may not import ${name}`),
        ...names.filter((name) => !crate.names.includes(name)).map((name) => `${place} does not import ${name}`),
      ];
    }),
  ];
}

export async function tellCrates() {
  const args = ["metadata", "--no-deps", "--format-version", "1", "--locked"];
  const metadata = JSON.parse((await run("cargo", args, { cwd: wasmWorkspace })).stdout);
  const found = crateFaults(readFileSync(join(root, "ARCHITECTURE.md"), "utf8"), metadata);
  if (found.length > 0) throw new Told(found.join("\n"));
  return { note: `${metadata.packages.length} crates` };
}

if (isMain(import.meta)) await main(async () => console.log((await tellCrates()).note));
