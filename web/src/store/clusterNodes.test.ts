/** How many nodes a cluster has: in links, under the finger, on the axis, in what is said of all hosts. */
import { expect, it } from "vitest";
import { allHosts, hostsOf } from "../analysis/read/host";
import { builtCatalogue as catalogue } from "../engine/browserEngine";
import { reduce } from "./reducer";
import { rowKeys, selectHostCount, selectInput, selectKnobs } from "./selectors";
import { initialState, type AppState } from "./state";
import { encodeLink } from "./urlState";
import { sideOf, type Pair } from "./values";
import { keysOf } from "./keys";
import { wantedOf } from "./wanted";

const opened = (query: string): AppState =>
  reduce(initialState(catalogue), { type: "linkOpened", hash: `#v1/${query}` });
const nodes = (state: AppState, value: number, phase: "drag" | "commit" = "drag"): AppState =>
  reduce(state, { type: "knobChanged", id: "cluster_nodes", value, phase });
const sessions = (pair: Pair, at: number): unknown => sideOf(catalogue, pair, "B").value(`sessions@instance${at}`);
const pointAt = (state: AppState, x: number): string | undefined =>
  wantedOf(state, keysOf(state)).flatMap((one) => (one.kind === "point" && one.x === x ? [one.query] : []))[0];

it("new nodes are as what is said for all, and have rows of their own", () => {
  const state = opened("starved-lms?cluster_nodes=5");
  expect([1, 2, 3, 4, 5].map((at) => sessions(state, at))).toEqual([20, 20, 4, 20, 20]);
  expect(selectHostCount(state)).toBe(5);
  expect(rowKeys(state)).toContain("sessions@instance5");
  expect(rowKeys(opened("starved-lms?cluster_nodes=2"))).not.toContain("sessions@instance3");
});

it("what was said of a node is there again once the node is", () => {
  const before = opened("starved-lms?sessions@instance3=11&view.host=3");
  const two = nodes(before, 2);
  expect([selectHostCount(two), two.view.host]).toEqual([2, null]);
  expect(keysOf(two).fullB).not.toContain("instance3");
  const three = nodes(two, 3, "commit");
  expect(sessions(three, 3)).toBe(11);
  expect(encodeLink(catalogue, three)).toBe("#v1/starved-lms?sessions@instance3=11");
});

it("a preset of another size is one object, so that what is remembered of it is found again", () => {
  const of = (count: number) => sideOf(catalogue, opened(`starved-lms?cluster_nodes=${count}`), "B").preset;
  expect([of(5), of(5) === of(5), of(4) === of(5)]).toEqual([expect.objectContaining({ nodes: 5 }), true, false]);
});

it("each point of a sweep over nodes says what holds of the nodes that it has", () => {
  const state = opened("starved-lms?cluster_nodes=5&sessions@instance5=7&view.x=cluster_nodes");
  expect(keysOf(state).axis.grid).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  expect(pointAt(state, 16)).toContain("sessions%40instance5=7&cluster_nodes=16");
  expect(pointAt(state, 2)).toBe("starved-lms?cluster_nodes=2");
});

it("an axis of a node that is left out gives way to the number of nodes", () => {
  expect(keysOf(opened("starved-lms")).axis.knob).toBe("background_processes@node3");
  expect(keysOf(opened("starved-lms?cluster_nodes=2")).axis.knob).toBe("cluster_nodes");
});

it("groups of what a scenario is about come first, the others in the table's order", () => {
  const groups = (preset: string): string[] => {
    const rows = [...selectKnobs(opened(preset))].sort((one, other) => one.groupAt - other.groupAt);
    return [...new Set(rows.map(({ group }) => group))].slice(0, 3);
  };
  expect(groups("sequence-nocache")).toEqual(["Cluster", "Sequence", "Instance"]);
  expect(groups("starved-lms")).toEqual(["Cluster", "Process kinds", "Instance"]);
  expect(groups("instance-caging-vm")).toEqual(["Instance", "Workload", "Access path"]);
});

it("sums of sides of unlike size are of all hosts", () => {
  const told = (query: string): string | null => allHosts(hostsOf(selectInput(opened(query))));
  expect(told("starved-lms")).toBe("all 3 hosts");
  expect(told("starved-lms?cluster_nodes=2")).toBe("both hosts");
  expect(told("starved-lms?cluster_nodes=2&a.cluster_nodes=4")).toBe("all hosts");
});
