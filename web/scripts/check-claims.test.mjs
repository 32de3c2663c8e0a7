import { describe, expect, it } from "vitest";
import { countsIn, falseClaims, meantBy, pathsIn } from "./check-claims.mjs";

const tests = "sim-wasm/crates/model/tests";
const files = ["web/src/app/panels.tsx", `${tests}/twins.rs`, `${tests}/twins/cfs.rs`];
const texts = {
  [`${tests}/twins/cfs.rs`]: "for seed in 0..500 {", "web/src/app/panels.tsx": "const most = 1.500; const id = x200;",
};
const faults = (text) => falseClaims("PAGE.md", text, files, (file) => texts[file] ?? "");

describe("paths", () => {
  it("are what is quoted with a slash or a suffix, what is linked, and what begins with a folder of ours", () => {
    const text = "`app/panels.tsx`, `twins/`, `cfs.rs`, [map](MAP.md), crates/model and (web/src) "
      + "but `std::time`, `cpu.max`, `npm run check`, and/or";
    expect(pathsIn(text)).toEqual(["app/panels.tsx", "twins/", "cfs.rs", "MAP.md", "crates/model"]);
  });

  it("mean a file or a folder by its end, a whole name at a time", () => {
    expect(meantBy("tests/twins/", files)).toEqual(["sim-wasm/crates/model/tests/twins/cfs.rs"]);
    expect(meantBy("panels.tsx", files)).toEqual(["web/src/app/panels.tsx"]);
    expect(meantBy("nels.tsx", files)).toEqual([]);
    expect(meantBy("twins.rs/", files)).toEqual([]);
  });

  it("that lead nowhere are told", () => {
    expect(faults("`app/panels.tsx` and `app/gone.tsx`, under web/nowhere")).toEqual([
      "PAGE.md: there is no app/gone.tsx", "PAGE.md: there is no web/nowhere",
    ]);
  });
});

describe("counts", () => {
  it("are numbers of random things and of seeds", () => {
    expect(countsIn("over 2,000 random links and 20 seeds, 1.5 random, 3 files")).toEqual(["2000", "20"]);
  });

  it("stand in one of the files cited beside them, or in a folder of its name", () => {
    expect(faults("1. 500 random lists. *`model/tests/twins.rs`.*\n2. something else")).toEqual([]);
    expect(faults("1. 501 random lists. *`model/tests/twins.rs`.*")).toHaveLength(1);
    expect(faults("1. 500 random lists.\n2. *`model/tests/twins.rs`.*")).toHaveLength(1);
    expect(faults("500 random panels in `app/panels.tsx`")).toHaveLength(1);
    expect(faults("200 random panels in `app/panels.tsx`")).toHaveLength(1);
  });
});
