import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root, wasmPackage, wasmWorkspace, web } from "./paths.mjs";
import { Told, main } from "./shell.mjs";
import { isMain } from "./steps.mjs";
import { filesUnder } from "./source-hash.mjs";

const longest = 450;
const widest = 120;
/** Of prose; rows of tables and what cannot be broken may be wider. */
const widestProse = 160;
const written = /\.(rs|ts|tsx|mjs|css|html)$/;
/** Rust's own formatter keeps code within 120; a line of HTML is as long as its policy or its sentence. */
const isNarrow = /\.(rs|ts|tsx|mjs|css)$/;
const isGenerated = (file) => file.startsWith(wasmPackage) || /[\\/](generated|docs[\\/]knobs\.md)/.test(file);

/** Lines wider than `most` characters: their numbers, from 1. */
export function wideLines(text, most) {
  return text.split("\n").flatMap((line, i) => ([...line].length > most ? [i + 1] : []));
}

/** The same of prose: rows of tables, what stands between fences, and a single word that is longer may be wider. */
export function wideProse(text, most) {
  let isFenced = false;
  return text.split("\n").flatMap((line, i) => {
    if (/^\s*```/.test(line)) isFenced = !isFenced;
    const isFree = isFenced || line.startsWith("|") || !/\S\s+\S/.test(line.replace(/^\s*([-*]|\d+\.)\s+/, ""));
    return !isFree && [...line].length > most ? [i + 1] : [];
  });
}

/** What is wrong with one file's size, in words. */
export function faultsIn(name, text) {
  const lines = text.split("\n").length - 1;
  const isProse = name.endsWith(".md");
  const most = isProse ? widestProse : widest;
  const wide = isProse ? wideProse(text, most) : isNarrow.test(name) ? wideLines(text, most) : [];
  const tooLong = !isProse && lines > longest ? [`${name}: ${lines} lines, ${longest} at most`] : [];
  return [...tooLong, ...wide.map((line) => `${name}:${line}: wider than ${most} columns`)];
}

/** No source file is longer than one can hold in mind, no line wider than a window. Functions are the linters' part. */
export function sizeFaults() {
  const prose = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map((name) => join(root, name));
  return filesUnder([wasmWorkspace, web, join(root, "e2e"), ...prose], (path) => path === "e2e/results")
    .filter((file) => (written.test(file) || file.endsWith(".md")) && !isGenerated(file))
    .flatMap((file) => faultsIn(relative(root, file).split("\\").join("/"), readFileSync(file, "utf8")));
}

export function tellSizes() {
  const found = sizeFaults();
  if (found.length > 0) throw new Told(found.join("\n"));
}

if (isMain(import.meta)) await main(tellSizes);
