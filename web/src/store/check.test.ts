/** A text of a knob that the decoder checks while the scenario is changed. */
import { expect, it } from "vitest";
import type { Description } from "../engine";
import { openEngine } from "../testing/directEngine";
import { memoryLink } from "./linkPort";
import { createAppStore } from "./store";

it("a value that was checked for one preset or side is none for the next, but is beside another knob", async () => {
  const engine = openEngine();
  const waiting: (() => void)[] = [];
  const describe = engine.describe.bind(engine);
  engine.describe = async (query: string): Promise<Description> => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return describe(query);
  };
  const store = createAppStore(engine, memoryLink(""));
  const [here, other] = engine.catalogue.presets;
  const ask = () => {
    const found = store.check("sessions", "7");
    return { found, answer: () => waiting.shift()?.() };
  };
  const first = ask();
  first.answer();
  expect(await first.found).toEqual({ value: 7 });
  const second = ask();
  store.dispatch({ type: "presetChosen", preset: other?.id ?? "" });
  second.answer();
  expect(await second.found).toEqual({ wrong: "sessions was meant for another scenario" });
  expect(store.getState().preset).not.toBe(here?.id);
  const third = ask();
  store.dispatch({ type: "sideChosen", side: "A" });
  third.answer();
  expect(await third.found).toEqual({ wrong: "sessions was meant for another scenario" });
  const fourth = ask();
  store.dispatch({ type: "knobChanged", id: "cpu_count", value: 3, phase: "commit" });
  fourth.answer();
  expect(await fourth.found).toEqual({ value: 7 });
  store.close();
});
