/** Two hosts with the simulation itself: sums over both are told as such, what is of one host is told of that one. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadWasm } from "../engine/loadWasm";
import { builtCatalogue } from "../engine/browserEngine";
import { openEngine } from "../testing/directEngine";
import { until } from "../testing/until";
import { memoryLink } from "./linkPort";
import { eventsIn, matrixIn } from "../analysis";
import { selectInput, selectKnobs, selectPage } from "./selectors";
import { createAppStore, type AppStore } from "./store";
import { selectIsBusy } from "./work";

const module = await loadWasm(readFileSync(new URL("../engine/wasm/sim_bg.wasm", import.meta.url)));

async function opened(hash: string, isSettled = false): Promise<AppStore> {
  const store = createAppStore(openEngine(module, builtCatalogue), memoryLink(hash));
  await new Promise<void>((resolve) => {
    const look = (): void => {
      const { finding, stage } = selectPage(store.getState());
      if (finding.headline === "" || finding.why.length === 0 || (isSettled && stage.kind !== "settled")) return;
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

it("counts the threads of each, and the sessions of each instance", async () => {
  const store = await opened("#v1/two-hosts?a=");
  expect(why(store)).toMatch(/^32\ssessions an instance, hosts of 8 and 32 threads: /);
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
    "The server of host 2 asks for 0.20 of a CPU; an equal share of 32 threads among 33 processes is 0.97.",
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

const all = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
const plain = (text: string): string => text.replaceAll("\u00a0", " ");


it("names each host's own difference, and of one host's idle threads those of that host", async () => {
  const store = await opened("#v1/two-hosts", true);
  const [a, b] = [selectInput(store.getState()).fullA!.report, selectInput(store.getState()).fullB!.report];
  const headline = plain(selectPage(store.getState()).finding.headline);
  const [, first, second] = /: host 1 loses ([\d.]+) %, host 2 loses (\d+) %$/.exec(headline) ?? [];
  const loss = (i: number): number => 100 * (1 - b.instances[i]!.lio_per_s.mean / a.instances[i]!.lio_per_s.mean);
  expect([first, second]).toEqual([loss(0).toFixed(1), loss(1).toFixed(0)]);
  // The cage of the large host is the cause, and of its own threads those are idle for it that no empty slot leaves so.
  const [, points, waiting, idle] = new RegExp(
    "^Idle time behind the cage on host 2: −([\\d.]+) points;.* The cage on host 2 lets 8 run at once "
      + "while ([\\d.]+) sessions wait: none of 32 threads idle for that with no cage, ([\\d.]+) with cpu_count 8\\.",
  ).exec(plain(why(store))) ?? [];
  const [, host] = b.nodes;
  const empty = b.instances[1]!.slots_empty!;
  expect(Number(idle)).toBeCloseTo(host!.threads - host!.cpu_busy_threads - empty, 1);
  expect(Number(waiting)).toBeCloseTo(32 - (8 - empty), 1);
  const lost = (100 * (a.instances[1]!.lio_per_s.mean - b.instances[1]!.lio_per_s.mean)) / a.throughput.lio_per_s.mean;
  expect(Math.abs(Number(points) - lost)).toBeLessThan(3);
  store.close();
});

it("shows of each host its own sessions and threads, which together are those of all", async () => {
  const store = await opened("#v1/two-hosts?sessions@instance2=12&cores_per_socket@node2=6");
  const input = selectInput(store.getState());
  const { hosts } = matrixIn(input);
  expect(hosts.map(({ name, b }) => `${name} ${b?.activeSessions.cpuLine} ${b?.lanes.threads}`)).toEqual([
    "host 1 8 8", "host 2 24 24",
  ]);
  const sums = hosts.map(({ b }) => all(b!.activeSessions.layers.map(({ mean }) => mean)));
  expect(sums.map((sum) => sum.toFixed(3))).toEqual(["32.000", "12.000"]);
  const running = hosts.map(({ b }) => b!.activeSessions.layers.find((layer) => layer.class === "CPU")!.mean);
  running.forEach((mean, i) => expect(mean).toBeCloseTo(input.fullB!.report.instances[i]!.cpu.time.mean, 1));
  // Processes are counted from the first instance on: 32 sessions of the first host, then 12 of the second.
  const isOwn = hosts.map(({ b }, i) => b!.lanes.slices.every(({ process }) => process < 32 === (i === 0)));
  expect(isOwn).toEqual([true, true]);
  for (const { b } of hosts) {
    expect(b!.lanes.slices.length).toBeGreaterThan(0);
    expect(b!.lanes.slices.every(({ thread }) => thread >= 0 && thread < b!.lanes.threads)).toBe(true);
  }
  store.dispatch({ type: "hostChosen", host: 2 });
  expect(matrixIn(selectInput(store.getState())).hosts.map(({ name }) => name)).toEqual(["host 2"]);
  store.close();
});

it("says whose a title's sum is", async () => {
  const store = await opened("#v1/two-hosts?os_scheduler=AIX", true);
  const input = selectInput(store.getState());
  expect([matrixIn(input).titles.spread, matrixIn(input).accounting?.title, eventsIn(input)?.title].map((title) =>
    /^(Both hosts: |Events of both hosts: )/.test(title ?? ""),
  )).toEqual([true, true, true]);
  // The whole curve is told of once all of it is there.
  await until(store, () => !selectIsBusy(store.getState()));
  expect(plain(selectPage(store.getState()).curve.title)).toMatch(
    /^Both hosts: with cpu_count 8, throughput stays near .* sessions each$/,
  );
  store.close();
  const unlike = await opened("#v1/two-hosts?sessions@instance2=12", true);
  await until(unlike, () => !selectIsBusy(unlike.getState()));
  expect(plain(selectPage(unlike.getState()).curve.title)).toMatch(/^Both hosts: .* sessions on host 1$/);
  unlike.close();
});

it("names by the host what differs on that alone", async () => {
  const one = await opened("#v1/two-hosts?a.cpu_count@instance2=32");
  const { curve } = selectPage(one.getState());
  expect([curve.nameA, curve.nameB]).toEqual(["cpu_count 32 on host 2", "cpu_count 8 on host 2"]);
  one.close();
  const cage = await opened("#v1/two-hosts?resource_manager_plan@instance2=none");
  const page = selectPage(cage.getState());
  expect([page.curve.nameA, page.curve.nameB]).toEqual(["no cage on host 1", "cpu_count 8 on host 1"]);
  cage.close();
});

it("says what each instance has where they have not the same", async () => {
  const store = await opened("#v1/two-hosts?arrivals@instance1=open&arrivals_per_s@instance1=30&a=");
  expect(plain(selectPage(store.getState()).finding.headline)).toMatch(/^30 arrivals\/s and 32 sessions at /);
  store.close();
  const unlike = await opened("#v1/two-hosts?sessions@instance2=12&a=");
  expect(plain(selectPage(unlike.getState()).finding.headline)).toMatch(/^32 and 12 sessions at /);
  unlike.close();
});
