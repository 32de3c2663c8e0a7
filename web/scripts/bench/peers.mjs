import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wasmWorkspace } from "../paths.mjs";
import { ensureRust } from "../setup/rust.mjs";
import { run } from "../shell.mjs";
import { ratio } from "./rows.mjs";

const folder = join(wasmWorkspace, "peers");
const target = join(wasmWorkspace, "target", "peers");
const wasmTarget = "wasm32-unknown-unknown";
/** As the crate numbers them. */
const engines = ["ours", "simcore", "desim"];
const workloads = ["fifo-32-on-8", "open-0-on-8", "round-robin-32-on-8"];
/** Our speed in times of the faster peer's, natively and in wasm. */
const wanted = { "fifo-32-on-8": [1, 1], "open-0-on-8": [1, 1], "round-robin-32-on-8": [1.05, 1.5] };
const plan = { turns: 15, events: 400_000, warmUps: 5 };

/** desim asks for coroutines, which the stable compiler gives only to who says so. */
async function cargo(words) {
  const env = { CARGO_TARGET_DIR: target, RUSTC_BOOTSTRAP: "1" };
  return run("cargo", [...words, "--release", "--locked", "--quiet"], { cwd: folder, env });
}

async function native() {
  const { stdout } = await cargo(["run"]);
  return JSON.parse(stdout);
}

/** The same in this process's wasm: nanoseconds of CPU an event, by workload and engine. */
async function inNode() {
  ensureRust();
  await cargo(["build", "--lib", "--target", wasmTarget]);
  const bytes = readFileSync(join(target, wasmTarget, "release", "wwi_peers.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes);
  const timed = (engine, workload) => {
    const before = process.cpuUsage();
    const done = instance.exports.turn(engine, workload, plan.events);
    const { user, system } = process.cpuUsage(before);
    return ((user + system) * 1000) / done;
  };
  return Object.fromEntries(workloads.map((name, workload) => {
    const found = engines.map(() => []);
    for (let turn = -plan.warmUps; turn < plan.turns; turn++) {
      for (const [engine, turns] of found.entries()) {
        const each = timed(engine, workload);
        if (turn >= 0) turns.push(each);
      }
    }
    return [name, Object.fromEntries(engines.map((name, engine) => [name, found[engine]]))];
  }));
}

/** Our speed in times of the faster of the others', and who that was. */
function beside({ ours, ...others }) {
  const all = Object.entries(others).map(([name, turns]) => ({ name, ...ratio(turns, ours) }));
  const { name, best, low, high } = all.reduce((one, other) => (other.best < one.best ? other : one));
  return `${best.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)}) ${name}`;
}

export function peerRows(natively, inWasm) {
  return [
    ["in times of the faster of simcore and desim", "native", "wanted", "wasm in Node", "wanted"],
    ...workloads.map((name) => {
      const [least, inWasmLeast] = wanted[name].map(String);
      return [name, beside(natively[name]), least, beside(inWasm[name]), inWasmLeast];
    }),
  ];
}

export const peerFigures = async () => peerRows(await native(), await inNode());
