import { isValidElement, type ReactElement, type ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { ErrorBoundary } from "./ErrorBoundary";

interface Props {
  readonly children?: ReactNode;
  readonly onClick?: () => void;
}

/** All elements of a tree. */
function elementsOf(node: ReactNode): readonly ReactElement<Props>[] {
  if (Array.isArray(node)) return node.flatMap(elementsOf);
  return isValidElement<Props>(node) ? [node, ...elementsOf(node.props.children)] : [];
}

const link = "https://example.org/#v1/cpu-queue?cores_per_socket=7";

/** Where the page stands, and how often it was loaded anew, once a button of a broken page was pressed. */
function pressed(label: string): { readonly hash: string; readonly loads: number } {
  const reload = vi.fn<() => void>();
  const location = { href: link, hash: new URL(link).hash, reload };
  vi.stubGlobal("location", location);
  const boundary = new ErrorBoundary({ children: "Finding" });
  boundary.state = ErrorBoundary.getDerivedStateFromError(new Error("a part of the page is gone"));
  const button = elementsOf(boundary.render())
    .find(({ type, props }) => type === "button" && props.children === label);
  button!.props.onClick!();
  return { hash: location.hash, loads: reload.mock.calls.length };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it("to try again is to load the page anew with the scenario of its link", () => {
  expect(pressed("Try again")).toEqual({ hash: new URL(link).hash, loads: 1 });
});

it("the default scenario is opened in a page that is loaded anew", () => {
  expect(pressed("Open the default scenario")).toEqual({ hash: "", loads: 1 });
});
