import { expect, it } from "vitest";
import { panelNames } from "../app/panelNames";
import { readFrameOptions } from "./frameOptions";

it("reads panels, knobs and look", () => {
  const options = readFrameOptions(
    "?panels=curve,knobs&show=sessions,cpu_count&theme=dark&palette=oem&lock=sockets&origin=https://host.example",
  );
  expect(options.panels).toEqual(["curve", "knobs"]);
  expect(options).toMatchObject({
    show: ["sessions", "cpu_count"], locked: ["sockets"], view: { theme: "dark", palette: "oem" },
  });
  expect(options.origin).toBe("https://host.example");
});

it("falls back where it is asked for nonsense", () => {
  const options = readFrameOptions("?panels=__proto__,x&theme=pink&palette=");
  expect(options.panels).toEqual(panelNames);
  expect(options).toMatchObject({ show: null, view: { theme: "system", palette: "default" } });
});
