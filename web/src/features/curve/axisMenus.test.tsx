import { expect, it } from "vitest";
import { knobChoices } from "./AxisMenus";

it("says of a knob in the menu that it changes nothing, and of no other", () => {
  const knobs = [
    { id: "sessions", group: "Workload", acts: true }, { id: "hot_buffers", group: "Redo log", acts: false },
  ];
  expect(knobChoices(knobs, "sessions").flatMap(({ choices }) => choices)).toEqual([
    { id: "sessions", label: "sessions", isSelected: true },
    { id: "hot_buffers", label: "hot_buffers", isSelected: false, detail: "changes nothing here" },
  ]);
});
