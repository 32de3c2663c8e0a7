import { readFileSync } from "node:fs";
import { basename, extname, join, posix } from "node:path";
import { gzipSync } from "node:zlib";
import { dist, generated } from "./paths.mjs";
import { Told, main } from "./shell.mjs";
import { filesUnder } from "./source-hash.mjs";
import { isMain } from "./steps.mjs";

const kB = 1000;
/** The longest of the files is taken for the one that weighs most. */
const largestKept = (files, bytes) =>
  Object.keys(files).filter((name) => name.startsWith("kept/"))
    .toSorted((one, other) => bytes[other].length - bytes[one].length).slice(0, 1);
const budgets = [
  { what: "JS on first load", of: (files) => firstLoad(files, "index.html"), most: 200 * kB },
  { what: "all JS", of: (files) => withSuffix(files, ".js"), most: 300 * kB },
  { what: "CSS", of: (files) => withSuffix(files, ".css"), most: 20 * kB },
  { what: "text face", of: (files) => withSuffix(files, ".woff2"), most: 60 * kB },
  // 9 kB for sums and rows of consumer groups, which the page shows, and for control groups by kind of process; 2 kB
  // for points of curves that look no longer than they need, and for a warm-up that tells bursts from a beginning; 2 kB
  // for deadline servers; 2 kB for what sleeps but is queued, and for groups, as balancing sees them; 1 kB for
  // balancing as in 6.1, and for what 6.8 and 6.12 expect of processes; 5 kB for CFS's queues of control groups; 3 kB
  // for budgets that do not last, for lost blocks, and for balancing that counts no CPUs where it need not; 1 kB for
  // calls that are over when the client is told; 1 kB for who is at latches, who comes to a host that has left, and
  // arrivals that are dealt to consumer groups; 3 kB for readers that are given a lock, starts within transactions,
  // periods of quotas, and what few busy threads can do.
  { what: "wasm", of: (files) => withSuffix(files, ".wasm"), most: 439 * kB },
  { what: "largest kept sketch", of: largestKept, most: 6 * kB },
  {
    what: "texts", of: (files) => withSuffix(files, ".json").filter((name) => name.startsWith("assets/")),
    most: 40 * kB,
  },
];

const withSuffix = (files, suffix) => Object.keys(files).filter((name) => extname(name) === suffix);
const matches = (text, regex) => [...text.matchAll(regex)].map(([, name]) => name);

/** What a page names: its own scripts, what is to be fetched with them, and what those import or start at once. */
const inPage = /<(?:script|link)[^>]*? (?:src|href)="\.?\/?([^"]+\.js)"/g;
const inScript = /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]|\bnew URL\(\s*["'`](?:\.\/)?([^"'`]+\.js)["'`]/g;

/** The scripts that a page of the site fetches unasked. `files`: text by path below the site. */
export function firstLoad(files, page) {
  const found = new Set(matches(files[page] ?? "", inPage));
  for (const name of found) {
    const text = files[name] ?? "";
    const named = [...text.matchAll(inScript)].map(([, imported, started]) => imported ?? started);
    for (const other of named) found.add(posix.join(posix.dirname(name), other));
  }
  const missing = [...found].filter((name) => files[name] === undefined);
  if (missing.length > 0) throw new Told(`${page} names ${missing.join(", ")}, which the site has not`);
  return [...found];
}

/**
 * Sentences of the texts that stand in one of the scripts. Those that a script would write otherwise are not asked for.
 */
export function textsIn(texts, scripts) {
  const all = [...Object.values(texts.knobs).map(({ help }) => help), ...texts.published.map(({ note }) => note)];
  const plain = all.filter((text) => text.length > 30 && /^[\w ,.:;()-]+$/.test(text));
  if (plain.length === 0) throw new Told("there is no text to look for");
  return plain.filter((text) => scripts.some((script) => script.includes(text)));
}

/** The built site: bytes by path, with slashes. */
function site() {
  const paths = filesUnder([dist]);
  return Object.fromEntries(
    paths.map((path) => [path.slice(join(dist, "/").length).split("\\").join("/"), readFileSync(path)]),
  );
}

const asText = (files) =>
  Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, /\.(js|html)$/.test(name) ? bytes.toString("utf8") : ""]),
  );

/** What the built page weighs as it travels, gzipped, with what it may. */
export function weights() {
  const files = site();
  const texts = asText(files);
  return budgets.map(({ what, of, most }) => {
    const ours = of(texts, files).map((name) => files[name]);
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
  if (over.length > 0)
    throw new Told(over.map(({ what, bytes, most }) => `${what}: ${bytes} bytes gzipped, ${most} at most`).join("\n"));
  const texts = JSON.parse(readFileSync(join(generated, "texts.json"), "utf8"));
  const scripts = Object.entries(asText(site())).filter(([name]) => extname(basename(name)) === ".js");
  const built = textsIn(texts, scripts.map(([, text]) => text));
  if (built.length > 0)
    throw new Told(`Texts that are to be fetched are built into scripts, such as “${built[0]}”`);
  const words = all.map(({ what, bytes, most }) => `${what} ${Math.round(bytes / kB)} of ${most / kB} kB`);
  return { passed: all.length + 1, note: `${words.join(", ")}, gzipped` };
}

if (isMain(import.meta)) await main(() => console.log(tellBudgets().note));
