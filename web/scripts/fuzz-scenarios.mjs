import { wasmWorkspace } from "./paths.mjs";
import { main, say, show } from "./shell.mjs";
import { ensureRust } from "./setup/rust.mjs";

/**
 * Mutated scenarios and valid extremes by the thousand, as the native runner takes them; status 1 where one is at
 * fault.
 */
await main((args) => {
  ensureRust();
  say("20,000 mutated scenarios and 10,000 valid extremes: some minutes");
  const which = [
    "run", "--release", "--locked", "--quiet", "-p", "wwi-cli", "--example", "fuzz_scenarios", "--", ...args,
  ];
  return show("cargo", which, { cwd: wasmWorkspace });
});
