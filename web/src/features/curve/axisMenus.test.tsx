import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { MenuButtonProps } from "../../ui/MenuButton";
import { AxisMenus, knobChoices, SecondKnob, type Axes, type AxesWanted } from "./AxisMenus";

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

/** The menu of the second knob. */
function secondMenu(axes: Partial<Axes>, onAxes: (axes: AxesWanted) => void = () => undefined): MenuButtonProps {
  const plain = { y: "throughput_lio", x: "sessions", by: null, metrics: [], knobs: [], areFixed: false };
  const whole: Axes = { ...plain, ...axes };
  const drawn = SecondKnob({ axes: whole, onAxes }) as ReactElement<{ children: ReactElement<MenuButtonProps>[] }>;
  const menu = drawn.props.children[1];
  if (menu === undefined) throw new Error("no menu");
  return menu.props;
}

it("offers for a map what can stand across the axis, and none", () => {
  const knobs = [
    { id: "sessions", group: "Workload", acts: true, crosses: false },
    { id: "cpu_count", group: "Instance", acts: true, crosses: true },
  ];
  const choices = secondMenu({ by: "cpu_count", knobs }).groups.flatMap((group) => group.choices);
  expect(choices.map(({ label, isSelected }) => [label, isSelected])).toEqual([
    ["one knob alone", false], ["cpu_count", true],
  ]);
});

it("takes a second knob, and lets it go", () => {
  const told: AxesWanted[] = [];
  const { onChoose } = secondMenu({}, (axes) => { told.push(axes); });
  onChoose("cpu_count");
  onChoose("");
  expect(told).toEqual([{ by: "cpu_count" }, { by: null }]);
});
