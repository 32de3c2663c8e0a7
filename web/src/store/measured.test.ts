import { expect, it } from "vitest";
import type { Measured } from "../analysis";
import { builtCatalogue } from "../engine/browserEngine";
import { reduce } from "./reducer";
import { selectInput, selectLink, selectPage } from "./selectors";
import { initialState, type AppState } from "./state";

const points: Measured = {
  load: "sessions", metrics: ["throughput_lio"], rows: [[16, 8.1e6], [640, 10.5e6]],
};
const text = "view.points=sessions/throughput_lio,16/8100000,640/10500000";
const opened = (hash: string): AppState => reduce(initialState(builtCatalogue), { type: "linkOpened", hash });

it("points are kept in the link, and come back from it", () => {
  const laid = reduce(opened("#v1/your-host"), { type: "pointsLaid", points });
  expect(selectLink(laid)).toBe(`#v1/your-host?${text}`);
  expect(opened(selectLink(laid)).view.points).toEqual(points);
  expect(selectLink(reduce(laid, { type: "pointsLaid", points: null }))).toBe("#v1/your-host");
});

it("the axis of their load reaches past them, another does not", () => {
  expect(selectInput(opened("#v1/your-host")).xAxis.to).toBe(200);
  expect(selectInput(opened(`#v1/your-host?${text}`)).xAxis.to).toBeGreaterThanOrEqual(640);
  const other = (link: string): number => selectInput(opened(`${link}view.x=think_time_ms`)).xAxis.to;
  expect(other(`#v1/your-host?${text}&`)).toBe(other("#v1/your-host?"));
});

it("another scenario has none of them, and a broken list is told", () => {
  const laid = opened(`#v1/your-host?${text}`);
  expect(reduce(laid, { type: "presetChosen", preset: "cpu-queue" }).view.points).toBeNull();
  expect(opened("#v1/your-host?view.points=sessions/tps,1/2").view.linkError).toContain(
    "view.points is 1 to 40 points, as in sessions/throughput_lio,16/8100000, not “sessions/tps,1/2”.",
  );
});

it("the page is worked out anew when points are laid", () => {
  const state = opened("#v1/your-host");
  const before = selectPage(state);
  expect(selectPage(reduce(state, { type: "pointsLaid", points }))).not.toBe(before);
});
