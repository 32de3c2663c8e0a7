import { expect, it } from "vitest";
import { firstLoad, textsIn } from "./budgets.mjs";

const files = {
  "index.html":
    '<link rel="modulepreload" crossorigin href="./assets/page-1.js"><script type="module" crossorigin '
      + 'src="./assets/index-1.js"></script>',
  "assets/index-1.js":
    'import{a}from"./shared-1.js";const b=()=>import("./later-1.js");new Worker(new '
      + 'URL("worker-1.js",import.meta.url))',
  "assets/page-1.js": 'import"./shared-1.js";',
  "assets/shared-1.js": "export const a=1;",
  "assets/worker-1.js": 'import"./deep-1.js"',
  "assets/deep-1.js": "",
  "assets/later-1.js": "",
};

it("the first load is what the page names, what that imports, and the workers it starts", () => {
  const names = firstLoad(files, "index.html").map((name) => /(\w+)-1/.exec(name)[1]);
  expect(names.toSorted()).toEqual(["deep", "index", "page", "shared", "worker"]);
});

it("a script that the page names and nobody built is told", () => {
  const { "assets/deep-1.js": _, ...others } = files;
  expect(() => firstLoad(others, "index.html")).toThrow(/deep-1\.js/);
});

it("a text in a script is found; one that is too short or written otherwise is not asked for", () => {
  const help = "How long a switch takes to refill caches, in all.";
  const texts = { knobs: { a: { help } }, published: [{ note: "short" }] };
  expect(textsIn(texts, [`const t={help:"${help}"}`])).toEqual([help]);
  expect(textsIn(texts, ["const t={}"])).toEqual([]);
  expect(() => textsIn({ knobs: {}, published: [] }, [""])).toThrow("no text to look for");
});
