import { expect, it } from "vitest";
import type { ChangeEvent, ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { NumberField } from "./NumberField";

interface On {
  readonly onFocus: (event: unknown) => void;
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** The field of 12 after what is done with it. */
function fieldAfter(act: ((on: On) => void) | null): string {
  let isDone = act === null;
  const none = () => {};
  function Probe() {
    const field = NumberField({
      label: "sessions", value: 12, text: "12", range: { min: 1, max: 64, step: 1, scale: "linear", isWhole: true },
      isLocked: false, read: (text) => ({ value: Number(text) }), onCommit: none, onWrong: none, wrongId: undefined,
    }) as ReactElement<On>;
    if (!isDone) {
      isDone = true;
      act?.(field.props);
    }
    return field;
  }
  return renderToStaticMarkup(<Probe />);
}

const typed = (value: string) => (on: On) => on.onChange({ target: { value } } as never);

it("says that it holds what the scenario does until something else is typed", () => {
  globalThis.requestAnimationFrame ??= () => 0;
  expect(fieldAfter(null)).toContain("data-kept");
  expect(fieldAfter((on) => on.onFocus({ target: {} }))).toContain("data-kept");
  expect(fieldAfter(typed("12"))).toContain("data-kept");
  for (const text of ["17", ""]) expect(fieldAfter(typed(text))).not.toContain("data-kept");
});
