import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cratesInWasm, notices, npmPackages, packageOf } from "./notices.mjs";
import { root } from "./paths.mjs";

const text = notices();
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

describe("the notices of the built site", () => {
  it.each([...Object.keys(dependencies), "scheduler", "d3-color", "internmap"])(
    "name %s with its copyright",
    (name) => {
      const part = text.split("-".repeat(80)).find((one) => one.trim().startsWith(`${name} `));
      expect(part).toMatch(/copyright/i);
      expect(part).toMatch(/permission (is hereby granted|to use, copy)/i);
    },
  );
  it.each(["serde_json", "libm", "wasm-bindgen", "rand_xoshiro", "itoa"])("name the crate %s", (name) => {
    expect(cratesInWasm().map((one) => one.name)).toContain(name);
    expect(text).toMatch(new RegExp(`\n${name} \\d+\\.\\d+`));
  });
  it("begin with our own licence", () => expect(text).toContain(readFileSync(join(root, "LICENSE"), "utf8").trim()));
  it("leave out what only builds and tests", () => {
    const names = [...npmPackages(), ...cratesInWasm()].map(({ name }) => name);
    for (const name of ["vite", "typescript", "clap", "serde_derive", "criterion", "ts-rs"])
      expect(names).not.toContain(name);
  });
});

it("knows the package of a module", () => {
  expect(packageOf("/x/node_modules/react-dom/cjs/react-dom.js")).toBe("react-dom");
  expect(packageOf("/x/node_modules/a/node_modules/@scope/b/i.js")).toBe("@scope/b");
  expect(packageOf("/x/web/src/main.tsx")).toBeNull();
});
