/** Joins a store to the page that holds the frame. */
import { selectLink, selectPage, type AppStore } from "../store";
import { hear, say, type FrameState, type FromFrame } from "./protocol";

function stateOf(store: AppStore): FrameState {
  const state = store.getState();
  const page = selectPage(state);
  return { link: selectLink(state), finding: page.finding.headline, stage: page.stage.kind };
}

/** Listens and tells until the answer is called. `self` is the frame's window. */
export function openBridge(store: AppStore, self: Window, origin: string): () => void {
  let link = selectLink(store.getState());
  let isHostsDoing = false;
  const tell = (message: FromFrame) => self.parent.postMessage(say(message), origin);
  const onMessage = (event: MessageEvent) => {
    if (event.origin !== origin || event.source !== self.parent) return;
    const heard = hear(event.data);
    if (heard.kind === "foreign") return;
    if (heard.kind === "refused") return tell({ type: "error", id: heard.id, message: heard.why });
    if (heard.message.type === "setState") {
      isHostsDoing = true;
      store.dispatch({ type: "linkOpened", hash: heard.message.link });
      isHostsDoing = false;
      const { linkError } = store.getState().view;
      if (linkError !== null) return tell({ type: "error", id: heard.message.id, message: linkError });
    }
    tell({ type: "state", id: heard.message.id, state: stateOf(store) });
  };
  const onChange = () => {
    if (store.getState().inHand !== null) return;
    const next = selectLink(store.getState());
    if (next === link) return;
    link = next;
    tell({ type: "change", isUserInitiated: !isHostsDoing, state: stateOf(store) });
  };
  self.addEventListener("message", onMessage);
  const stop = store.subscribe(onChange);
  tell({ type: "ready", state: stateOf(store) });
  return () => {
    self.removeEventListener("message", onMessage);
    stop();
  };
}
