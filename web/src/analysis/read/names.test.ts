import { describe, expect, it } from "vitest";
import { buildInput, cagedValues, uncagedValues } from "../../testing/buildInput";
import { alike, everywhere, type Values } from "./input";
import { namesAlong, namesOf, placeHere, placeOfEach, placeOfKey, threadsText, whereBoth, whereTold } from "./names";
import { sharedNoun } from "./sharing";

it("counts threads, one of them in a word", () => {
  expect([1, 2, 1024].map(threadsText)).toEqual(["one thread", "2 threads", "1,024 threads"]);
});

it("says where a scenario stands by the load that acts, whatever its preset sweeps", () => {
  const input = buildInput("", "");
  const at = (knob: string, arrivals: string) => {
    const b = { ...cagedValues, arrivals, arrivals_per_s: 720, message_groups: 4 };
    const preset = { ...input.preset, sweep: { ...input.preset.sweep, knob } };
    return placeHere({ ...input, preset, b }).replaceAll("\u00a0", " ");
  };
  expect(["closed", "open", "messages", "batch"].map((arrivals) => at("message_groups", arrivals))).toEqual([
    "32 sessions", "720 arrivals/s", "message_groups 4", "32 sessions",
  ]);
  expect(at("sessions", "open")).toBe("720 arrivals/s");
  expect(at("arrivals_per_s", "closed")).toBe("32 sessions");
  expect(at("cpu_count", "open")).toBe("cpu_count 8");
});

describe("sides with loads of two kinds", () => {
  const plain = (text: string): string => text.replaceAll("\u00a0", " ");
  const of = (more: Values): Values => ({ ...cagedValues, arrivals_per_s: 30, message_groups: 4, ...more });
  const closed = of({ arrivals: "closed", arrivals_per_s: 10, sessions: 8 });
  const open = of({ arrivals: "open" });
  const told = (a: Values, b: Values, differs: readonly string[]): readonly string[] => {
    const input = buildInput("", "", { a, b, differs });
    const names = namesOf(input);
    return [names.a, names.b, whereTold(input), whereBoth(input)].map(plain);
  };
  it("are named each by its own, and told at no place", () => {
    const differs = ["arrivals", "arrivals_per_s", "sessions"];
    expect(told(closed, open, differs)).toEqual(["8 sessions", "30 arrivals/s", " against 8 sessions", ""]);
    expect(told(open, closed, differs)).toEqual(["30 arrivals/s", "8 sessions", " against 30 arrivals/s", ""]);
    expect(told(open, of({ arrivals: "closed" }), ["arrivals"])).toEqual([
      "30 arrivals/s", "32 sessions", " against 30 arrivals/s", "",
    ]);
    expect(told(closed, { ...open, lio_us: 1 }, [...differs, "lio_us"])[1]).toBe("30 arrivals/s, lio_us 1");
    expect(told(closed, of({ arrivals: "messages" }), ["arrivals", "sessions"]).slice(0, 2)).toEqual([
      "8 sessions", "message_groups 4",
    ]);
  });
  it("are named so of an instance, too", () => {
    const { preset } = buildInput("", "");
    const both = (more: Values): Values => ({
      ...of({}), "sessions@instance1": 8, "sessions@instance2": 8, "arrivals@instance1": "closed", ...more,
    });
    const input = buildInput("", "", {
      preset: { ...preset, instances: [1, 1] }, differs: ["arrivals@instance2", "arrivals_per_s@instance2"],
      a: both({ "arrivals@instance2": "closed", "arrivals_per_s@instance1": 10, "arrivals_per_s@instance2": 10 }),
      b: both({ "arrivals@instance2": "open", "arrivals_per_s@instance1": 10, "arrivals_per_s@instance2": 3 }),
    });
    const { a, b } = namesOf(input);
    expect([a, b, whereTold(input)].map(plain)).toEqual([
      "8 sessions in instance 2", "3 arrivals/s in instance 2", " against 8 sessions in instance 2",
    ]);
  });
  it("keep their word on an axis of which one is", () => {
    const { a, b } = namesAlong(buildInput("", "", { a: closed, b: open, differs: ["arrivals"] }));
    expect([a, b].map(plain)).toEqual(["arrivals closed", "30 arrivals/s"]);
  });
  it("are not, where both are of one kind: then what neither has is no name", () => {
    const a = { ...open, sessions: 8, lio_us: 1 };
    expect(told(a, open, ["sessions", "lio_us"]).slice(0, 2)).toEqual(["lio_us 1", "lio_us 1.667"]);
    expect(told(a, open, ["sessions"]).slice(0, 2)).toEqual(["8 sessions", "32 sessions"]);
    expect(told(of({ arrivals: "closed" }), of({ arrivals: "batch" }), ["arrivals"])).toEqual([
      "arrivals closed", "arrivals batch", " against arrivals closed", "",
    ]);
  });
});

it("says both of two things that differ, and hides more, or what there is no room for, behind dots", () => {
  const names = (a: Values, b: Values, differs: readonly string[]) => {
    const { a: nameA, b: nameB, subject, isMany } = namesOf(buildInput("", "", { a, b, differs }));
    return [nameA, nameB, subject, isMany];
  };
  const lgwr = (of: string, priority: number) => ({ ...cagedValues, "class@lgwr": of, "priority@lgwr": priority });
  expect(names(lgwr("FIFO", 39), lgwr("FX", 60), ["class@lgwr", "priority@lgwr"])).toEqual([
    "class FIFO of lgwr and priority 39", "class FX of lgwr and priority 60", "Class FX of lgwr and priority 60", true,
  ]);
  const longer = { ...cagedValues, think_time_ms: 20 };
  expect(names(uncagedValues, longer, ["think_time_ms", "resource_manager_plan"])).toEqual([
    "no cage and think_time_ms 0", "cpu_count 8 and think_time_ms 20", "Caging and think_time_ms 20", true,
  ]);
  expect(names(longer, uncagedValues, ["resource_manager_plan", "think_time_ms", "lio_us"])).toEqual([
    "cpu_count 8 …", "no cage …", "Taking the cage away …", false,
  ]);
  const named = (of: string) => ({ ...cagedValues, os_scheduler: of, scheduler_of_a_rather_long_name: of });
  expect(names(named("CFS"), named("EEVDF"), ["os_scheduler", "scheduler_of_a_rather_long_name"])).toEqual([
    "CFS …", "EEVDF …", "EEVDF …", false,
  ]);
});

it("names the part of which a value is where what is said of all is the same on both sides", () => {
  const { preset, ...input } = buildInput("", "");
  const two = { ...input, preset: { ...preset, nodes: 2, instances: [1, 2] } };
  const names = (a: Values, b: Values, key: string) => {
    const { a: nameA, b: nameB } = namesOf({
      ...two, a: { ...cagedValues, ...a }, b: { ...cagedValues, ...b }, differs: [key],
    });
    return [nameA, nameB].map((name) => name.replaceAll("\u00a0", " "));
  };
  const lms = (all: string, last: string) => ({ "class@lms": all, "class@lms@node2": last });
  expect(names(lms("TS", "TS"), lms("RR", "TS"), "class@lms")).toEqual(["class TS of lms", "class RR and TS of lms"]);
  expect(names(lms("TS", "FX"), lms("RR", "TS"), "class@lms")).toEqual([
    "class TS and FX of lms", "class RR and TS of lms",
  ]);
  const nice = (last: number) => ({ nice: 0, "nice@session": 0, "nice@session@instance2": last });
  expect(names(nice(0), nice(5), "nice")[1]).toBe(names(nice(0), nice(5), "nice@session")[1]);
  expect(names(nice(0), nice(5), "nice")).toEqual(["nice@session 0 on host 2", "nice@session 5 on host 2"]);
});

it("says of executions that they are without end, and not that they are an instance's", () => {
  const { preset, ...input } = buildInput("", "", { xHandle: 0 });
  const two = { ...input, preset: { ...preset, instances: [1, 1] } };
  expect([0, 3].map((x) => placeOfEach(two, "executions", x).replaceAll("\u00a0", " "))).toEqual([
    "executions without end", "3 executions",
  ]);
  const [a, b] = [{ ...cagedValues, executions: 1 }, { ...cagedValues, executions: 0 }];
  const names = namesOf(buildInput("", "", { a, b, differs: ["executions"] }));
  expect([names.a, names.b].map((name) => name.replaceAll("\u00a0", " "))).toEqual([
    "1 execution", "executions without end",
  ]);
});

it("says of a place in one instance that it is there, and not that it is each one's", () => {
  const { preset, ...input } = buildInput("", "", { xHandle: 5 });
  const b = { ...cagedValues, "sessions@instance1": 5, "sessions@instance2": 5 };
  const two = { ...input, b, preset: { ...preset, instances: [1, 1] } };
  const at = (key: string): string => placeOfEach(two, key, 16).replaceAll("\u00a0", " ");
  expect([at("sessions@instance1"), at("sessions")]).toEqual(["16 sessions in instance 1", "16 sessions an instance"]);
});

it("says of which instance a place is that the others do not share", () => {
  const { preset, ...input } = buildInput("", "", { xHandle: 32 });
  const at = (first: number, second: number, hosts: number[]) => {
    const b = { ...cagedValues, "sessions@instance1": first, "sessions@instance2": second };
    const two = { ...input, b, preset: { ...preset, instances: hosts, nodes: Math.max(...hosts) } };
    return placeOfKey(two, "sessions", 12).replaceAll("\u00a0", " ");
  };
  expect([at(32, 300, [1, 1]), at(300, 32, [1, 1]), at(300, 32, [1, 2])]).toEqual([
    "12 sessions in instance 1", "12 sessions in instance 2", "12 sessions on host 2",
  ]);
  expect([at(32, 32, [1, 2]), at(8, 12, [1, 2])]).toEqual(["12 sessions", "12 sessions"]);
});

it.each([
  [{ core_coherence: 0.1 }, "shared blocks"], [{ llc_share_penalty: 0.1 }, "fewer caches"],
  [{ socket_coherence: 0.1, llc_share_penalty: 0.1 }, "shared blocks or fewer caches"],
  [{ llc_share_penalty: 0.1, numa_memory: "interleaved" }, "fewer caches and remote memory"],
])("calls what %o makes slower %s", (more, noun) => {
  const none = { core_coherence: 0, socket_coherence: 0, llc_share_penalty: 0, numa_memory: "local" };
  expect(sharedNoun({ ...cagedValues, ...none }, { ...cagedValues, ...none, ...more })).toBe(noun);
});

describe("names along an axis", () => {
  const { preset, ...rest } = buildInput("", "");
  const along = (knob: string, differs: readonly string[], a: Values, b: Values) => {
    const input = { ...rest, preset: { ...preset, nodes: 1, instances: [1, 1] }, differs };
    const [all, one] = [{ "sessions@instance1": 12, "sessions@instance2": 12 }, { ...rest.xAxis, knob }];
    const names = namesAlong({
      ...input, xAxis: one, xHandle: 12, a: { ...cagedValues, ...all, ...a }, b: { ...cagedValues, ...all, ...b },
    });
    return [names.a, names.b].map((name) => name.replaceAll("\u00a0", " "));
  };
  it("are of the part of its knob in which the sides differ, where the other side has what the axis says", () => {
    const three = { "sessions@instance1": 3 };
    expect(along("sessions", ["sessions@instance1"], three, {})).toEqual([
      "3 sessions in instance 1", "as many sessions in instance 1",
    ]);
    const [four, cages] = [{ "cpu_count@instance2": 4 }, { "cpu_count@instance2": 12 }];
    expect(along("cpu_count", ["cpu_count@instance2"], four, cages)).toEqual([
      "cpu_count 4 in instance 2", "cpu_count alike in instance 2",
    ]);
    // B has its own as well.
    expect(along("sessions", ["sessions@instance1"], three, { "sessions@instance1": 5 })).toEqual([
      "3 sessions in instance 1", "5 sessions in instance 1",
    ]);
  });
  it("are of the other part where a part is the axis, and none where the sides differ in no other", () => {
    const [both, second] = [{ "sessions@instance1": 3, "sessions@instance2": 3 }, { "sessions@instance2": 3 }];
    expect(along("sessions@instance2", ["sessions"], both, {})).toEqual([
      "3 sessions in instance 1", "12 sessions in instance 1",
    ]);
    expect(along("sessions@instance2", ["sessions"], second, {})).toEqual(["", ""]);
    expect(along("sessions", ["sessions"], both, {})).toEqual(["", ""]);
  });
  it("say of a cage no size where sizes are the axis", () => {
    const plan = "resource_manager_plan";
    const [parts, free] = [{ [`${plan}@instance1`]: "default" }, { [`${plan}@instance2`]: "none" }];
    expect(along("cpu_count", [plan], uncagedValues, {})).toEqual(["no cage", "the cage"]);
    expect(along("cpu_count@node1", [plan], {}, uncagedValues)).toEqual(["the cage", "no cage"]);
    expect(along("lio_us", [plan], uncagedValues, {})).toEqual(["no cage", "cpu_count 8"]);
    expect(along("cpu_count", [`${plan}@instance2`], { ...parts, ...free }, parts)).toEqual([
      "no cage in instance 2", "the cage in instance 2",
    ]);
  });
});

it("lists what instances have once each, though a link says it of a host", () => {
  const { preset, ...input } = buildInput("", "");
  const b = {
    ...cagedValues, "cpu_count@instance1": 1, "cpu_count@instance2": 8, "cpu_count@node1": 1, "sessions@instance1": 32,
    "sessions@instance2": 2, "sessions@node2": 2, "arrivals@instance1": "closed", "arrivals@instance2": "closed",
  };
  const a = { ...b, resource_manager_plan: "none" };
  const two = { ...input, preset: { ...preset, nodes: 2, instances: [1, 2] }, a, b };
  expect(namesOf(two).b).toBe("cpu_count 1 and 8");
  expect(placeHere(two).replaceAll("\u00a0", " ")).toBe("32 and 2 sessions");
  expect(alike({ ...b, "sessions@instance2": 32, "sessions@node2": 2 }, "sessions")).toBe(32);
  expect(everywhere({ cores: 4, "cores@node1": 4, "cores@node2": 8 }, "cores")).toEqual([4, 8]);
});
