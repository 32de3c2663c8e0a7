import { readdirSync, readFileSync } from "node:fs";
import { prerender } from "react-dom/static";
import { expect, it, vi } from "vitest";
import { Dialogs } from "./late";
import type { PageProps } from "./pageProps";

vi.mock("./Dialogs", () => Promise.reject(new TypeError("Failed to fetch the module")));

it("a dialog that was asked for and did not load says so", async () => {
  // Nothing of the page is looked at: what would is not there.
  const props = {} as PageProps;
  const { prelude } = await prerender(<Dialogs props={props} open="share" onClose={() => undefined} />);
  expect(await new Response(prelude).text()).toMatch(/<p class="trust" role="alert">This did not load\./);
});

it("the command line comes with the dialogs, which alone show it", () => {
  const folder = new URL("../", import.meta.url);
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = all.filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  const eager = files.filter((name) => /from "[./\w]+\/commandLine"/.test(readFileSync(new URL(name, folder), "utf8")));
  expect(eager).toEqual(["app/Dialogs.tsx"]);
});
