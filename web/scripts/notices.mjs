import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { nodeModules, root, wasmWorkspace } from "./paths.mjs";
import { Told, ask, main } from "./shell.mjs";
import { isMain } from "./steps.mjs";

const wasmCrate = "wait-what-if-wasm";
const wasmTarget = "wasm32-unknown-unknown";
const isLicence = (name) => /^(licen[cs]e|copying)/i.test(name);

/** The licence texts that lie in a package's folder; where one may choose, the one that asks least. */
function textsIn(folder) {
  const all = readdirSync(folder).filter(isLicence).sort();
  const free = all.filter((name) => /mit/i.test(name));
  const chosen = free.length > 0 ? all.filter((name) => !/apache|copying/i.test(name)) : all;
  return chosen.map((name) => readFileSync(join(folder, name), "utf8").trim());
}

function notice({ name, version, licence, folder }) {
  const texts = textsIn(folder);
  if (texts.length === 0)
    throw new Told(`${name} ${version} brings no text of its licence: its notice must be written by hand`);
  return { name, version, licence, text: texts.join("\n\n") };
}

/** What package.json wants at run time, and what that wants, by the lock file. */
export function npmPackages(lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))) {
  const found = new Map();
  const visit = (name, from) => {
    const own = `${from}/node_modules/${name}`;
    const path = from !== "" && Object.hasOwn(lock.packages, own) ? own : `node_modules/${name}`;
    if (found.has(path)) return;
    const { version, license, dependencies = {} } = lock.packages[path];
    found.set(path, { name, version, licence: license, folder: join(nodeModules, "..", path) });
    for (const one of Object.keys(dependencies)) visit(one, path);
  };
  for (const name of Object.keys(lock.packages[""].dependencies ?? {})) visit(name, "");
  return [...found.values()];
}

function cargo(...args) {
  const answer = ask("cargo", [...args, "--locked"], { cwd: wasmWorkspace });
  if (answer === null) throw new Told(`cargo ${args[0]} does not say what the model is made from`);
  return answer;
}

/** Crates whose code is in the model for the browser, without what runs in the compiler. */
export function cratesInWasm() {
  const lines = cargo(
    "tree", "-p", wasmCrate, "-e", "normal,no-proc-macro", "--target", wasmTarget, "--prefix", "none", "--format",
    "{p}",
  ).split("\n");
  const wanted = new Set(lines.map((line) => line.split(" ").slice(0, 2).join(" ")));
  const { packages } = JSON.parse(cargo("metadata", "--format-version", "1"));
  const ours = packages.filter(({ name, version, source }) => source !== null && wanted.has(`${name} v${version}`));
  return ours.map(({ name, version, license, manifest_path: path }) => ({
    name, version, licence: license, folder: dirname(path),
  }));
}

/** Ours first, then everything in the built site that others wrote, each with its licence. */
export function notices() {
  const own = readFileSync(join(root, "LICENSE"), "utf8").trim();
  const parts = [...npmPackages(), ...cratesInWasm()].map(notice).sort((a, b) => a.name.localeCompare(b.name, "en"));
  const rule = "-".repeat(80);
  const said = parts.map(({ name, version, licence, text }) => `${rule}\n${name} ${version} (${licence})\n\n${text}`);
  const std = `${rule}\nThe Rust standard library (MIT OR Apache-2.0)\n\nCopyright (c) The Rust Project Contributors. `
    + `https://www.rust-lang.org/policies/licenses`;
  return `Wait, What If\n\n${own}\n\nThis site contains work of others:\n\n${[...said, std].join("\n\n")}\n`;
}

/** Packages of npm that a built module came from. */
export function packageOf(module) {
  const path = module.split("\\").join("/").split("/node_modules/").at(-1);
  return path === module || path === undefined
    ? null
    : path
        .split("/")
        .slice(0, path.startsWith("@") ? 2 : 1)
        .join("/");
}

if (isMain(import.meta)) await main(() => console.log(existsSync(nodeModules) ? notices() : "npm packages first"));
