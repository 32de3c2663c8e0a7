import { describe, expect, it } from "vitest";
import { howSureIn } from "../analysis";
import { openEngine } from "../testing/directEngine";
import { memoryLink } from "./linkPort";
import { selectCommandLine, selectInput, selectKnobs, selectPage } from "./selectors";
import { createAppStore, type AppStore } from "./store";

function open(hash: string): AppStore {
  return createAppStore(openEngine(), memoryLink(hash));
}

/** Until nothing has come in for a while. */
async function settled(store: AppStore): Promise<void> {
  for (let quiet = 0, last = store.getState(); quiet < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    quiet = store.getState() === last ? quiet + 1 : 0;
    last = store.getState();
  }
}

describe("the page of a store", () => {
  it("is empty before the first answer and settled after the last", async () => {
    const store = open("#v1/instance-caging-vm");
    expect(selectPage(store.getState()).stage.kind).toBe("empty");
    await settled(store);
    const page = selectPage(store.getState());
    expect(page.stage.kind).toBe("settled");
    expect([page.curve.b.length, page.curve.isWhole]).toEqual([29, true]);
    expect(page.curve.family.map(({ label }) => label)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    expect(page.curve.difference).toHaveLength(29);
    expect(page.curve.nameA).toBe("no cage");
    expect(page.curve.nameB).toBe("cpu_count 8");
    expect(howSureIn(selectInput(store.getState())).hinge).not.toBeNull();
    store.close();
  });

  it("keeps speaking of the answered scenario while the handle is already elsewhere", async () => {
    const store = open("#v1/instance-caging-vm");
    await settled(store);
    store.dispatch({ type: "knobChanged", id: "sessions", value: 9, phase: "drag" });
    const page = selectPage(store.getState());
    expect(page.curve).toMatchObject({ x: 9, xBefore: 32 });
    expect(page.finding.headline).toContain("32\u00a0sessions");
    await settled(store);
    expect(selectPage(store.getState()).finding.headline).toContain("9\u00a0sessions");
    store.close();
  });

  it("is the same object while nothing that it shows changes", async () => {
    const store = open("#v1/no-cage");
    await settled(store);
    const page = selectPage(store.getState());
    store.dispatch({ type: "themeChosen", theme: "dark" });
    expect(selectPage(store.getState())).toBe(page);
    store.close();
  });
});

describe("rows and commands", () => {
  it("tell what is moved, what differs, and the command with the same figures", () => {
    const store = open("#v1/instance-caging-vm?cpu_count=4&a.cpu_count=6&seed=7");
    const row = selectKnobs(store.getState()).find(({ id }) => id === "cpu_count");
    expect(row).toMatchObject({ value: 4, valueA: 6, defaultValue: 8, isMoved: true, differs: true, isLocked: false });
    expect(selectCommandLine(store.getState())).toBe(
      "npm run -s sim -- run instance-caging-vm --set cpu_count=4 --seed 7 --precision 0.03 "
        + "--against 'instance-caging-vm?cpu_count=6'",
    );
    store.close();
  });
});
