/** From an empty page to one that works, or to a sentence that says what to do. */
import type { Engine } from "../engine";
import { createBrowserEngine, createOwnThreadEngine, nextFrame } from "../engine/browserEngine";
import type { AppProps } from "./App";

export interface BootPorts {
  /** Throws where the browser or its host allow no workers. */
  readonly pool: () => Engine;
  /** The same in the page's own thread: slower, and it needs no permission. */
  readonly ownThread: () => Promise<Engine>;
}

/** What draws. Each entry imports it itself: what an entry imports later is fetched at once. */
export type LoadPage = () => Promise<{ readonly mount: (root: HTMLElement, props: AppProps) => void }>;

const browserPorts: BootPorts = { pool: createBrowserEngine, ownThread: createOwnThreadEngine };

/** Calls back with the next frame. */
export const frameSoon = nextFrame;

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

async function openEngine({ pool, ownThread }: BootPorts): Promise<Engine> {
  try {
    return pool();
  } catch (thrown) {
    // What cannot be loaded either is not what went wrong first.
    return ownThread().catch(() => Promise.reject(thrown));
  }
}

/** Never rejects. `start` makes the store; what draws it is loaded while the engine loads. */
export async function boot(
  root: HTMLElement, loadPage: LoadPage, start: (engine: Engine) => AppProps, ports: BootPorts = browserPorts,
): Promise<void> {
  try {
    const props = start(await openEngine(ports));
    const [{ mount }] = await Promise.all([loadPage(), props.store.ready]);
    mount(root, props);
  } catch (thrown) {
    saySorry(root, thrown);
  }
}
