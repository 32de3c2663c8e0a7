import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { columnKeys, deepestFolder, importConfig, importTable, rooms } from "./import-rules.mjs";
import { nodeModules, nodeProgram, web } from "./paths.mjs";
import { Told, ask, main, run } from "./shell.mjs";
import { isMain } from "./steps.mjs";
import { filesUnder } from "./source-hash.mjs";

/** Every package that an import could find, wanted or brought along by another. */
function packageNames() {
  const names = readdirSync(nodeModules).filter((name) => !name.startsWith("."));
  return names.flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(nodeModules, name)).map((one) => `${name}/${one}`) : [name],
  );
}

/** The modules under src that our rules speak of, and those that stand where no rule reaches. */
function modulesUnder(folder) {
  const src = join(folder, "src");
  const wasm = join(src, "engine/wasm") + sep;
  const all = filesUnder([src]).filter((file) => /\.tsx?$/.test(file) && !file.startsWith(wasm));
  const ignored = (ask("git", ["check-ignore", ...all], { cwd: folder }) ?? "").split("\n");
  const files = all.filter((file) => !ignored.includes(file));
  const outside = files.filter((file) => {
    const parts = partsOf(src, file);
    const isNoRoom = parts.length > 2 && Object.hasOwn(rooms, parts[0]) && !Object.hasOwn(rooms[parts[0]], parts[1]);
    return parts.length > 1 && (!Object.hasOwn(importTable, parts[0]) || parts.length - 1 > deepestFolder || isNoRoom);
  });
  return { files, outside };
}

const partsOf = (src, file) => relative(src, file).split(/[\\/]/);

/** Lines that name a report's columns where nobody may: {file, line, rule}. */
function keysOutside(folder, files) {
  const src = join(folder, "src");
  const asked = files.filter(
    (file) => !/\.test\.tsx?$/.test(file) && !columnKeys.may.test(partsOf(src, file).join("/")),
  );
  return asked.flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    const found = lines.flatMap((text, i) => (columnKeys.regex.test(text) ? [i + 1] : []));
    return found.map((line) => ({
      file: relative(folder, file), line, rule: "Keys of a report's columns are known in analysis/read alone.",
    }));
  });
}

async function lint(folder, configFile) {
  const args = ["-c", configFile, "--format", "json", "--ignore-pattern", "**/engine/wasm/**", join(folder, "src")];
  const { stdout } = await run(nodeProgram("oxlint"), args, { cwd: folder }).catch((error) => {
    if (!error.stdout?.startsWith("{")) throw error;
    return error;
  });
  return JSON.parse(stdout);
}

const ruleOf = ({ filename, help, message, labels }) => ({
  file: filename, line: labels[0]?.span.line ?? 0, rule: help ?? message,
});

/** Reads every module under `folder`/src; answers with the broken rules and with how many modules were read. */
export async function checkImports(folder = web) {
  const { files, outside } = modulesUnder(folder);
  const scratch = mkdtempSync(join(tmpdir(), "import-rules-"));
  const configFile = join(scratch, "oxlintrc.json");
  try {
    writeFileSync(configFile, JSON.stringify(importConfig(packageNames())));
    const { diagnostics, number_of_files: read } = await lint(folder, configFile);
    return {
      files: files.length,
      read,
      outside: outside.map((file) => relative(folder, file)),
      broken: [...diagnostics.map(ruleOf), ...keysOutside(folder, files)],
    };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Throws what a check found, or answers with a note. */
export function tellImports({ files, read, outside, broken }) {
  if (read !== files || files === 0)
    throw new Told(`${read} modules were read, ${files} are there: the import rules held nothing`);
  if (outside.length > 0) throw new Told(`No row of the import table speaks of: ${outside.join(", ")}`);
  if (broken.length > 0) throw new Told(broken.map(({ file, line, rule }) => `${file}:${line} ${rule}`).join("\n"));
  return { note: `${read} modules read` };
}

if (isMain(import.meta)) await main(async () => console.log(tellImports(await checkImports()).note));
