import { describe, expect, it } from "vitest";
import { crateFaults, rowsOfCrates } from "./check-crates.mjs";

const table = `| folder | may import | never |
| --- | --- | --- |
| crates/kernel | \`libm\` | a domain word |
| crates/model | kernel | serde |
| sim-wasm (root) | kernel, model, \`wasm-bindgen\` | logic |
| web units, base | nothing above them | React |
`;
const crate = (folder, ...names) => ({
  manifest_path: `/here/sim-wasm/${folder}Cargo.toml`,
  dependencies: names.map((name) => ({ name: name.replace("dev:", ""), kind: name.startsWith("dev:") ? "dev" : null })),
});
const metadata = (...packages) => ({ workspace_root: "/here/sim-wasm", packages });
const kernel = crate("crates/kernel/", "libm");
const model = crate("crates/model/", "wwi-kernel", "dev:criterion");
const border = crate("", "wwi-kernel", "wwi-model", "wasm-bindgen");

describe("the table of crates", () => {
  it("names crates of the workspace plainly and libraries in code", () => {
    expect(rowsOfCrates(table).map(({ folder, names }) => [folder, ...names])).toEqual([
      ["crates/kernel", "libm"], ["crates/model", "wwi-kernel"], [".", "wasm-bindgen", "wwi-kernel", "wwi-model"],
    ]);
  });
  it("holds where each crate imports what its row says; what its tests use is its own affair", () => {
    expect(crateFaults(table, metadata(kernel, model, border))).toEqual([]);
  });
  it("tells an import without a word, a word without an import, a crate without a row, a row without a crate", () => {
    const serde = crate("crates/model/", "wwi-kernel", "serde");
    expect(crateFaults(table, metadata(kernel, serde, border))).toEqual(["crates/model may not import serde"]);
    const bare = crate("", "wwi-kernel", "wwi-model");
    expect(crateFaults(table, metadata(kernel, model, bare))).toEqual(["sim-wasm (root) does not import wasm-bindgen"]);
    const cli = crate("crates/cli/", "clap");
    expect(crateFaults(table, metadata(kernel, model, border, cli))).toEqual([
      "ARCHITECTURE.md: no row for the crate in crates/cli",
    ]);
    expect(crateFaults(table, metadata(kernel, border))).toEqual(["ARCHITECTURE.md: there is no crate crates/model"]);
  });
});
