import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./paths.mjs";

const commands = Object.values(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts);

/** Every module that is loaded before a script's first line runs. */
function loadedAtOnce(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name] of readFileSync(file, "utf8").matchAll(/^(?:import|export) (?:[^"]* from )?"([^"]+)";$/gm)) {
    if (name.startsWith(".")) loadedAtOnce(join(dirname(file), name), seen);
    else seen.add(name);
  }
  return seen;
}

it.each(commands)("%s starts on a machine without any package", (command) => {
  const [, script] = /^node (\S+)$/.exec(command);
  const packages = [...loadedAtOnce(join(root, script))].filter(
    (name) => !name.startsWith("/") && !name.startsWith("node:"),
  );
  expect(packages).toEqual([]);
});
