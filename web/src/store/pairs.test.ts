/** What is compared comes from one run, wherever one has been before. */
import { expect, it } from "vitest";
import { openEngine } from "../testing/directEngine";
import { until } from "../testing/until";
import { memoryLink } from "./linkPort";
import { selectInput, selectPage } from "./selectors";
import { createAppStore } from "./store";

it.each(["", "&view.view=timeline"])("settles on halves of one run, also where undo leads back%s", async (view) => {
  const store = createAppStore(openEngine(), memoryLink(`#v1/instance-caging-vm?a.cpu_count=4${view}`));
  const mixed: string[] = [];
  const isSettled = (): boolean => selectPage(store.getState()).stage.kind === "settled";
  store.subscribe(() => {
    const { fullA, fullB } = selectInput(store.getState());
    if (isSettled() && fullA?.pair !== fullB?.pair) mixed.push(`${fullA?.pair} beside ${fullB?.pair}`);
  });
  await until(store, isSettled);
  store.dispatch({ type: "sideChosen", side: "B" });
  store.dispatch({ type: "knobChanged", id: "cpu_count", value: 5, phase: "commit" });
  await until(store, isSettled);
  for (const type of ["undo", "redo", "undo"] as const) {
    store.dispatch({ type });
    expect(isSettled()).toBe(false);
    await until(store, isSettled);
  }
  expect(mixed).toEqual([]);
  store.close();
});
