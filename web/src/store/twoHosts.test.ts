/** Two hosts with the simulation itself: sums over both are told as such, what is of one host is told of that one. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadWasm } from "../engine/loadWasm";
import { builtCatalogue } from "../engine/browserEngine";
import { openEngine } from "../testing/directEngine";
import { memoryLink } from "./linkPort";
import { selectKnobs, selectPage } from "./selectors";
import { createAppStore, type AppStore } from "./store";

const module = await loadWasm(readFileSync(new URL("../engine/wasm/sim_bg.wasm", import.meta.url)));

async function opened(hash: string): Promise<AppStore> {
  const store = createAppStore(openEngine(module, builtCatalogue), memoryLink(hash));
  await new Promise<void>((resolve) => {
    const look = (): void => {
      const { finding } = selectPage(store.getState());
      if (finding.headline === "" || finding.why.length === 0) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(look);
    look();
  });
  return store;
}

const why = (store: AppStore): string =>
  selectPage(store.getState())
    .finding.why.map(({ text }) => text)
    .join("");

it("counts the threads of both, and the sessions of each instance", async () => {
  const store = await opened("#v1/two-hosts?a=");
  expect(why(store)).toMatch(/^32\ssessions an instance on 40 threads/);
  store.close();
});

it("draws no bound of one host over the sum of both", async () => {
  const store = await opened("#v1/two-hosts?a=");
  expect(selectPage(store.getState()).curve.bound).toBeNull();
  store.close();
  const one = await opened("#v1/instance-caging-vm?a=");
  expect(selectPage(one.getState()).curve.bound).not.toBeNull();
  one.close();
});

it("tells of a server what its own host has", async () => {
  const store = await opened("#v1/two-hosts?service_per_s@node2=100&a=");
  // 32 threads for 32 sessions and the server.
  expect(why(store)).toContain(
    "The server asks for 0.20 of a CPU; an equal share of 32 threads among 33 processes is 0.97.",
  );
  store.close();
});

it("shows what is said of one host beside what holds for the others", async () => {
  const store = await opened("#v1/two-hosts?nice@session@instance2=5&a=");
  const said = selectKnobs(store.getState())
    .filter((row) => row.isSaid)
    .map((row) => `${row.id} ${row.value}`);
  expect(said).toEqual(["nice@session@instance2 5", "sockets@node2 2", "cores_per_socket@node2 8"]);
  store.close();
});
