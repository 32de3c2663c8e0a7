import { expect, it } from "vitest";
import { openEngine } from "../testing/directEngine";
import { memoryLink } from "./linkPort";
import { createAppStore, type AppStore, type Fitting } from "./store";

function told(store: AppStore, free: string): Promise<readonly Fitting[]> {
  const words: Fitting[] = [];
  return new Promise((resolve) => {
    store.fit(free, (word) => {
      words.push(word);
      if (!("tried" in word)) resolve(words);
    });
  });
}

it("finds a knob from the points of the link, each figure in its own unit", async () => {
  const points = "sessions/throughput_lio/response_mean_ms,4/1/5,8/3/7,16/2/6";
  const store = createAppStore(openEngine(), memoryLink(`#v1/no-cage?view.points=${points}`));
  const last = (await told(store, "lio_us")).at(-1);
  expect(last).toEqual({
    fitted: {
      // 28 sessions, no transactions/s, 6 LIO/s a hundredfold, 18 ms a thousandfold.
      free: "lio_us", value: 18_628, low: 18_627, high: 18_629, isOpenBelow: false, isOpenAbove: false,
      residual: 0.02, figures: 6,
    },
  });
  store.close();
});

it("takes the columns by name, in whatever order the reader has them", async () => {
  const points = "sessions/response_mean_ms/throughput_transactions,4/5/1,8/7/3,16/6/2";
  const store = createAppStore(openEngine(), memoryLink(`#v1/no-cage?view.points=${points}`));
  // 28 sessions, 6 transactions/s tenfold, no LIO/s, 18 ms a thousandfold.
  expect((await told(store, "lio_us")).at(-1)).toMatchObject({ fitted: { value: 18_088, figures: 6 } });
  store.close();
});

it("tells why points cannot be fitted, and nothing where there are none", async () => {
  const store = createAppStore(openEngine(), memoryLink("#v1/no-cage?view.points=sessions/throughput_lio,4/1000"));
  expect(await told(store, "lio_us")).toEqual([{ wrong: "3 measured figures are needed" }]);
  store.dispatch({ type: "pointsLaid", points: null });
  const words: Fitting[] = [];
  store.fit("lio_us", (word) => words.push(word))();
  expect(words).toEqual([]);
  store.close();
});
