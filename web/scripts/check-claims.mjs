import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./paths.mjs";
import { Told, main } from "./shell.mjs";
import { isMain } from "./steps.mjs";
import { filesUnder } from "./source-hash.mjs";

/** The pages that say where things are, and what proves what. */
const pages = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"];
const suffixes = "rs|ts|tsx|mjs|js|css|json|toml|txt|md";
const topFolders = "web|e2e|public|sim-wasm|crates|model|scenario|kernel|cli";

const isPath = new RegExp(`^[\\w.-]+\\.(${suffixes})$|^[\\w.-]+(/[\\w.-]+)*/$|^[\\w.-]+(/[\\w.-]+)+$`);
const isBare = new RegExp(`(?<![\\w./])(?:${topFolders})(?:/[\\w.-]*\\w)+`, "g");

/** Made by a build, so not in the checkout. */
const built = /^(dist|target)\//;

/** What a text names as a path: with a slash, or with the ending of a file. Addresses and commands are none. */
export function pathsIn(text) {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, words]) => words);
  const named = quoted.filter((word) => isPath.test(word));
  const linked = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path);
  const rest = text.replaceAll(/`[^`\n]*`|\([^)]*\)/g, " ");
  const bare = [...rest.matchAll(isBare)].map(([path]) => path);
  return [...new Set([...named, ...linked, ...bare])].filter((path) => !built.test(path));
}

/** Every file and folder that `path` may mean: it, or what ends with it. */
export function meantBy(path, files) {
  const plain = path.replace(/\/$/, "");
  const isFolder = path.endsWith("/");
  const inIt = (file) => `/${file}`.includes(`/${plain}/`);
  return files.filter((file) => inIt(file) || (!isFolder && `/${file}`.endsWith(`/${plain}`)));
}

/** Counts that a text gives: "2,000 random links", "20 seeds". */
export function countsIn(text) {
  const all = [...text.matchAll(/(?<![\w.,])(\d[\d,]*) (?:random|seeds)\b/g)];
  return all.map(([, digits]) => digits.replaceAll(",", ""));
}

/** A number as source text writes it: 2000, 2_000. */
const written = (digits) => new RegExp(`(?<!\\w|\\d\\.)${digits.replaceAll(/\B(?=(\d{3})+$)/g, "_?")}(?![\\w])`);

/** A test's file, and the folder of its parts. */
function withParts(file, files) {
  const folder = file.replace(/\.\w+$/, "/");
  return [file, ...files.filter((other) => other.startsWith(folder))];
}

/** What a page claims and the checkout does not hold. `read`: the text of a file. */
export function falseClaims(page, text, files, read) {
  const lost = pathsIn(text).filter((path) => meantBy(path, files).length === 0);
  const items = text.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/);
  const uncounted = items.flatMap((item) => {
    const counts = countsIn(item);
    if (counts.length === 0) return [];
    const cited = pathsIn(item).filter((path) => !path.endsWith("/")).flatMap((path) => meantBy(path, files));
    const texts = cited.flatMap((file) => withParts(file, files)).map(read);
    const missing = counts.filter((count) => !texts.some((one) => written(count).test(one)));
    return missing.map((count) => `${page}: none of the files cited holds the count ${count}`);
  });
  return [...lost.map((path) => `${page}: there is no ${path}`), ...uncounted];
}

export function tellClaims() {
  const files = filesUnder([root]).map((file) => relative(root, file).split("\\").join("/"));
  const read = (file) => readFileSync(join(root, file), "utf8");
  const found = pages.flatMap((page) => falseClaims(page, read(page), files, read));
  if (found.length > 0) throw new Told(found.join("\n"));
  const paths = pages.flatMap((page) => pathsIn(read(page)));
  if (paths.length === 0 || !existsSync(join(root, paths[0]))) throw new Told("no path was read in the pages");
  return { note: `${paths.length} paths, ${pages.flatMap((page) => countsIn(read(page))).length} counts` };
}

if (isMain(import.meta)) await main(() => console.log(tellClaims().note));
