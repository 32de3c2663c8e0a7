import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { gzipSync } from "node:zlib";
import { dist } from "./paths.mjs";
import { Told, main } from "./shell.mjs";
import { filesUnder } from "./source-hash.mjs";
import { isMain } from "./steps.mjs";

const kB = 1000;
const budgets = [
  { what: "JS and CSS", kinds: [".js", ".css"], most: 220 * kB },
  { what: "wasm", kinds: [".wasm"], most: 300 * kB },
];

/** What the built page weighs as it travels, gzipped, with what it may. Both pages and every worker count. */
export function weights() {
  const files = filesUnder([dist]);
  return budgets.map(({ what, kinds, most }) => {
    const ours = files.filter((file) => kinds.includes(extname(file))).map((file) => readFileSync(file));
    const bytes = ours.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
    const raw = ours.reduce((sum, content) => sum + content.length, 0);
    return { what, files: ours.length, bytes, raw, most };
  });
}

export function tellBudgets() {
  const all = weights();
  const empty = all.find(({ files }) => files === 0);
  if (empty) throw new Told(`dist/ holds no ${empty.what}`);
  const over = all.filter(({ bytes, most }) => bytes > most);
  if (over.length > 0) throw new Told(over.map(({ what, bytes, most }) => `${what}: ${bytes} bytes gzipped, ${most} at most`).join("\n"));
  return { passed: all.length, note: all.map(({ what, bytes, most }) => `${what} ${Math.round(bytes / kB)} of ${most / kB} kB gzipped`).join(", ") };
}

if (isMain(import.meta)) await main(() => console.log(tellBudgets().note));
