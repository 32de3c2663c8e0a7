import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { AxisMenus, knobChoices } from "./AxisMenus";

it("bears in its name the word that it shows", () => {
  const metrics = [{ id: "throughput_lio", title: "Logical reads", unit: "LIO/s" }];
  const axes = { y: "throughput_lio", x: "sessions", by: null, metrics, knobs: [], areFixed: false };
  const markup = renderToStaticMarkup(<AxisMenus axes={axes} onAxes={() => undefined} />);
  const [name = "", shown = ""] = /aria-label="([^"]*)"[^>]*><span>([^<]*)</.exec(markup)?.slice(1) ?? [];
  expect([shown, name]).toEqual(["Throughput", "Vertical axis: Throughput, Logical reads"]);
});

it("says of a knob in the menu that it changes nothing, and of no other", () => {
  const knobs = [
    { id: "sessions", group: "Workload", acts: true, crosses: true },
    { id: "hot_buffers", group: "Redo log", acts: false, crosses: true },
  ];
  expect(knobChoices(knobs, "sessions").flatMap(({ choices }) => choices)).toEqual([
    { id: "sessions", label: "sessions", isSelected: true },
    { id: "hot_buffers", label: "hot_buffers", isSelected: false, detail: "changes nothing here" },
  ]);
});
