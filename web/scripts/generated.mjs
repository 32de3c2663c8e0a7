import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { generated, root } from "./paths.mjs";
import { Told, run } from "./shell.mjs";
import { buildNativeRunner } from "./sim.mjs";

/** What the native runner writes for the page: the command, and the file that holds its answer. */
const outputs = [{ command: ["catalogue"], file: join(generated, "catalogue.json") }];

async function fresh() {
  const runner = await buildNativeRunner();
  return Promise.all(outputs.map(async ({ command, file }) => ({ file, text: (await run(runner, command)).stdout })));
}

/** The files under version control that come from Rust are what Rust says today. */
export async function checkGenerated() {
  for (const { file, text } of await fresh()) {
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
      throw new Told(`${relative(root, file)} is out of date: npm run golden:update`);
    }
  }
  return { passed: outputs.length };
}

export async function updateGenerated() {
  mkdirSync(generated, { recursive: true });
  for (const { file, text } of await fresh()) writeFileSync(file, text);
}
