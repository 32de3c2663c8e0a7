/** From an empty page to one that works, or to a sentence that says what to do. */
import type { Engine } from "../engine";
import type { AppProps } from "./App";

/** What the page needs beside what draws it. */
export interface Parts {
  /** Throws where the browser or its host allow no workers. */
  readonly pool: () => Engine;
  /** The same in the page's own thread: slower, and it needs no permission. */
  readonly ownThread: () => Promise<Engine>;
  /** Makes the store. */
  readonly start: (engine: Engine) => AppProps;
}

/** What draws. Each entry imports it and the parts itself: what an entry imports later is fetched at once. */
export type LoadPage = () => Promise<{ readonly mount: (root: HTMLElement, props: AppProps) => void }>;
export type LoadParts = () => Promise<{ readonly parts: Parts }>;

const LONGEST_MESSAGE = 300;

/** In place of the page, in plain elements: of the page's own parts none may be there. */
export function saySorry(root: HTMLElement, thrown: unknown): void {
  const page = root.ownerDocument;
  const element = (name: string, text: string): HTMLElement =>
    Object.assign(page.createElement(name), { textContent: text });
  const box = page.createElement("main");
  box.className = "failure";
  box.setAttribute("role", "alert");
  const again = element("button", "Reload");
  again.addEventListener("click", () => page.defaultView?.location.reload());
  const message = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, LONGEST_MESSAGE);
  box.append(
    element("h1", "The page could not start."),
    element(
      "p",
      "Reload it: a part of it may have been replaced, or not come through. If that does not help, open it in another "
        + "browser. Your scenario is in the link.",
    ),
    element("pre", message),
    again,
  );
  root.replaceChildren(box);
}

async function openEngine({ pool, ownThread }: Parts): Promise<Engine> {
  try {
    return pool();
  } catch (thrown) {
    // What cannot be loaded either is not what went wrong first.
    return ownThread().catch(() => Promise.reject(thrown));
  }
}

/** Never rejects. What draws is evaluated while the store asks for what was kept. */
export async function boot(root: HTMLElement, loadPage: LoadPage, loadParts: LoadParts): Promise<void> {
  try {
    const { parts } = await loadParts();
    const props = parts.start(await openEngine(parts));
    const [{ mount }] = await Promise.all([loadPage(), props.store.ready]);
    mount(root, props);
  } catch (thrown) {
    saySorry(root, thrown);
  }
}
