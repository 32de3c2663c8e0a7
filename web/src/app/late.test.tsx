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
