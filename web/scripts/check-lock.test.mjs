import { expect, it } from "vitest";
import { tellLock } from "./check-lock.mjs";

const lock = (more) => ({
  packages: {
    "": {}, "node_modules/a": { integrity: "sha512-x", optionalDependencies: { "@a/darwin": "1" } },
    "node_modules/@a/darwin": { integrity: "sha512-y", optional: true }, ...more,
  },
});

it("has nothing to say of a whole lock file", () => expect(tellLock(lock({}))).toEqual({}));
it("counts binaries of other platforms without a checksum", () =>
  expect(tellLock(lock({ "node_modules/@a/darwin": { optional: true } })).note).toMatch(/^1 binaries/));
it("refuses a package that is installed everywhere without one", () =>
  expect(() => tellLock(lock({ "node_modules/b": {} }))).toThrow("no checksum of b"));
it("refuses gaps", () => {
  const { packages } = lock({});
  delete packages["node_modules/@a/darwin"];
  expect(() => tellLock({ packages })).toThrow("leaves out @a/darwin");
});
