import { expect, it } from "vitest";
import { embedSnippet } from "./embedSnippet";

it("keeps the scenario and escapes what would close the attribute", () => {
  const text = embedSnippet({
    link: 'https://host/sub/index.html#v1/p?title="x"&seed=42',
    panels: ["curve", "knobs"], show: ["sessions"], theme: "dark",
  });
  expect(text).toContain(
    'src="https://host/sub/embed.html?panels=curve,knobs&amp;show=sessions&amp;theme=dark#v1/p?title=',
  );
  expect(text).toContain("&amp;seed=42");
  expect(text.match(/"/g)).toHaveLength(12);
});
