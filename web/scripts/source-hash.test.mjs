import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtHash } from "./source-hash.mjs";

it("vouches for the files that were built from these sources, and for no others", () => {
  const folder = mkdtempSync(join(tmpdir(), "built-"));
  try {
    writeFileSync(join(folder, "index.html"), "built");
    const built = builtHash(folder, "sources");
    expect(builtHash(folder, "sources")).toBe(built);
    expect(builtHash(folder, "other sources")).not.toBe(built);
    writeFileSync(join(folder, "index.html"), "of another day");
    expect(builtHash(folder, "sources")).not.toBe(built);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
