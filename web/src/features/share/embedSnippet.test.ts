import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { embedAddress, embedSnippet, type Snippet } from "./embedSnippet";
import { messageRows } from "./messages";

const plain: Snippet = {
  link: 'https://host/sub/index.html#v1/p?title="x"&seed=42', panels: ["curve", "knobs"],
  knobs: [
    { key: "sessions", isLocked: false, from: "", to: "20" },
    { key: "cpu_count", isLocked: true, from: "", to: "" },
  ],
  areAxesLocked: false, theme: "dark", height: 640,
};
const snippet = (more: Partial<Snippet> = {}): string =>
  embedSnippet(embedAddress({ ...plain, ...more }, () => ({ min: 1, max: 48, least: 0, most: 9_999 })), plain.height);

it("keeps the scenario and escapes what would close the attribute", () => {
  const text = snippet();
  expect(text).toContain(
    'src="https://host/sub/embed.html?panels=curve,knobs&amp;show=sessions,cpu_count&amp;lock=cpu_count'
      + "&amp;range.sessions=1:20&amp;theme=dark#v1/p?title=",
  );
  expect(text).toContain("&amp;seed=42");
  expect(text).toContain('height="640"');
  expect(text.match(/"/g)).toHaveLength(14);
});

it.each([
  ["", "20", "1:20"],
  ["5", "", "5:48"],
  ["60", "", "60:9999"],
  ["", "1", "0:1"],
  ["2", "3", "2:3"],
])("a range typed as “%s” to “%s” is %s", (from, to, range) => {
  const knobs = [{ key: "sessions", isLocked: false, from, to }];
  expect(snippet({ knobs })).toContain(`range.sessions=${range}&amp;`);
});

it("says of knobs and axes only what is chosen", () => {
  expect(snippet({ panels: ["curve"] })).not.toContain("show=");
  expect(snippet({ panels: ["curve"] })).toContain("lock=cpu_count&");
  expect(snippet({ knobs: [], areAxesLocked: true, theme: "system" })).toContain(
    "embed.html?panels=curve,knobs&amp;lock=axes#v1/p",
  );
});

it("is explained in the README by the rows of the dialog", () => {
  const readme = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8");
  const told = messageRows.map(({ from, types, says }) =>
    `| ${from} | ${types.map((type) => `\`${type}\``).join(", ")} | ${says} |`,
  );
  const [head = "", ...rows] = readme.split("\n").filter((line) => /^\| (from|host|frame) \|/.test(line));
  expect(head).toBe("| from | type | says |");
  expect(rows).toEqual(told);
});

it("says the theme that is chosen, be it dark or light", () => {
  const themes = ["dark", "light", "system"].map((theme) => /theme=(\w+)/.exec(snippet({ theme }))?.[1]);
  expect(themes).toEqual(["dark", "light", undefined]);
});
