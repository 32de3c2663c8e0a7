import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { wasmWorkspace } from "../paths.mjs";
import { run } from "../shell.mjs";

const results = join(wasmWorkspace, "target/criterion");

function filesNamed(name, folder, since) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesNamed(name, path, since);
    return entry.name === name && statSync(path).mtimeMs >= since ? [path] : [];
  });
}

/** Runs criterion and reads what it wrote: events per second by workload. */
export async function nativeRates() {
  const since = Date.now();
  await run("cargo", ["bench", "--locked", "--quiet", "-p", "wwi-cli"], { cwd: wasmWorkspace });
  const rates = new Map();
  for (const file of filesNamed("benchmark.json", results, since).filter((path) => /[\\/]new[\\/]/.test(path))) {
    const { full_id: id, throughput } = JSON.parse(readFileSync(file, "utf8"));
    const nanoseconds = JSON.parse(readFileSync(join(file, "../estimates.json"), "utf8")).median.point_estimate;
    if (throughput?.Elements) rates.set(id.replace(/^.*\//, ""), (throughput.Elements / nanoseconds) * 1e9);
  }
  return rates;
}
