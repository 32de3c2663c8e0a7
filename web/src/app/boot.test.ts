import { expect, it } from "vitest";
import type { Engine } from "../engine";
import type { AppProps } from "./App";
import { boot, type LoadPage, type Parts } from "./boot";

/** As much of an element as an apology needs. */
class FakeElement {
  textContent = "";
  className = "";
  readonly children: FakeElement[] = [];
  readonly attributes = new Map<string, string>();
  click = (): void => {};
  readonly name: string;
  readonly ownerDocument: unknown;

  constructor(name: string, page: unknown) {
    this.name = name;
    this.ownerDocument = page;
  }
  append(...more: FakeElement[]): void {
    this.children.push(...more);
  }
  replaceChildren(...more: FakeElement[]): void {
    this.children.splice(0, this.children.length, ...more);
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  addEventListener(_: string, callback: () => void): void {
    this.click = callback;
  }
  get text(): string {
    return [this.textContent, ...this.children.map((child) => child.text)].join(" ");
  }
  find(name: string): FakeElement | undefined {
    return this.children
      .flatMap((child) => (child.name === name ? [child] : [child.find(name)]))
      .find((found) => found !== undefined);
  }
}

type Ports = Partial<Parts & { loadPage: LoadPage }>;

function scene({ loadPage, ...ports }: Ports = {}) {
  const done: string[] = [];
  const page = {
    createElement: (name: string) => new FakeElement(name, page),
    defaultView: { location: { reload: () => done.push("reloaded") } },
  };
  const root = new FakeElement("div", page);
  root.append(new FakeElement("main", page));
  const engine = (name: string) => ({ name }) as unknown as Engine;
  const parts: Parts = {
    pool: () => engine("pool"),
    ownThread: () => Promise.resolve(engine("own thread")),
    start: (given) => {
      done.push((given as unknown as { name: string }).name);
      return { store: { ready: Promise.resolve() } } as AppProps;
    },
    ...ports,
  };
  const load = loadPage ?? (() => Promise.resolve({ mount: () => void done.push("mounted") }));
  return { root, done, run: () => boot(root as unknown as HTMLElement, load, () => Promise.resolve({ parts })) };
}

const fail = (message: string) => (): never => {
  throw new Error(message);
};

it("draws the page over workers", async () => {
  const { run, done } = scene();
  await run();
  expect(done).toEqual(["pool", "mounted"]);
});

it("goes on in its own thread where no worker can be made", async () => {
  const { run, done, root } = scene({ pool: fail("SecurityError") });
  await run();
  expect(done).toEqual(["own thread", "mounted"]);
  expect(root.find("h1")).toBeUndefined();
});

it.each([
  ["a part of the page is gone", { loadPage: () => Promise.reject(new Error("mount-abc.js")) }, "mount-abc.js"],
  [
    "neither workers nor its own thread will do",
    { pool: fail("no workers"), ownThread: () => Promise.reject(new Error("404")) }, "no workers",
  ],
  ["drawing fails", { loadPage: () => Promise.resolve({ mount: fail("no canvas") }) }, "no canvas"],
] satisfies [string, Ports, string][])(
  "says what to do where %s",
  async (_, ports, message) => {
    const { run, root, done } = scene(ports);
    await run();
    expect(root.children).toHaveLength(1);
    expect(root.children[0]?.attributes.get("role")).toBe("alert");
    expect(root.text).toContain("Reload it");
    expect(root.text).toContain(message);
    root.find("button")?.click();
    expect(done.at(-1)).toBe("reloaded");
  },
);

it("cuts a message that is too long to read", async () => {
  const { run, root } = scene({ loadPage: () => Promise.reject(new Error("x".repeat(9000))) });
  await run();
  expect(root.text.length).toBeLessThan(700);
});
