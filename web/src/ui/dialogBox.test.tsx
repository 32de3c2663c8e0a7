import { expect, it } from "vitest";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { DialogBox } from "./DialogBox";

type On = (event: { readonly target: string; readonly currentTarget: string }) => void;

/** Whether a press that goes down on one part and comes up on another closes the box */
function isClosed(down: string, clicked: string): boolean {
  let closed = false;
  let on: { readonly onPointerDown: On; readonly onClick: On } | null = null;
  function Probe() {
    const box: ReactElement = DialogBox({ title: "Box", isOpen: true, onClose: () => (closed = true), children: "" });
    on = box.props as typeof on;
    return box;
  }
  renderToStaticMarkup(<Probe />);
  const { onPointerDown, onClick } = on!;
  // A press before that began and ended elsewhere leaves nothing behind.
  for (const before of ["dialog", "text"]) onPointerDown({ target: before, currentTarget: "dialog" });
  onPointerDown({ target: down, currentTarget: "dialog" });
  onClick({ target: clicked, currentTarget: "dialog" });
  return closed;
}

it("closes at a press beside it, not where a selection of text that began inside ends there", () =>
  expect([isClosed("dialog", "dialog"), isClosed("text", "dialog"), isClosed("text", "text")]).toEqual([
    true, false, false,
  ]));
