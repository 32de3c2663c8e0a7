/** Joins a store to the page that holds the frame. */
import { selectSharedLink, type AppStore } from "../store";
import { hear, say, type FromFrame, type FromHost } from "./protocol";
import type { Line } from "./lines";
import { answerIn, stateIn } from "./told";

/** Calls back once, soon: with the next frame, or a moment later where nothing paints. */
export type Soon = (callback: () => void) => void;

/** So many messages wait for their turn; who sends more in one frame is told so. */
const MOST_WAITING = 10_000;

/** What is to be answered. */
type Asked =
  | { readonly id: string; readonly type: FromHost["type"] }
  | { readonly id: string | null; readonly type: "refused"; readonly why: string };

/** What was asked and not answered yet. Of links only the last is kept: it is the one that acts. */
interface Waiting {
  readonly asked: Asked[];
  link: string | null;
}

class Bridge {
  private link: string;
  private told: string | null;
  /** The last `setState`, while the scenario is the one that it set. */
  private blamed: string | null = null;
  private isHostsDoing = false;
  /** The scenario whose answer was told last. */
  private settled: string | null = null;
  private failure: object | null = null;
  private waiting: Waiting | null = null;
  private readonly store: AppStore;
  private readonly line: Line;
  private readonly soon: Soon;
  private readonly panels: readonly string[];

  constructor(store: AppStore, line: Line, soon: Soon, panels: readonly string[]) {
    this.store = store;
    this.line = line;
    this.soon = soon;
    this.panels = panels;
    this.link = selectSharedLink(store.getState());
    this.told = store.getState().view.linkError;
  }

  tell(message: FromFrame): void {
    this.line.send(say(message));
  }

  /**
   * The first link of a frame acts at once; what comes before the next frame waits, and of several links the last one
   * acts.
   */
  hear(data: unknown): void {
    const heard = hear(data);
    if (heard.kind === "foreign") return;
    const link = heard.kind === "message" && heard.message.type === "setState" ? heard.message.link : null;
    const asked: Asked =
      heard.kind === "message"
        ? { id: heard.message.id, type: heard.message.type }
        : { id: heard.id, type: "refused", why: heard.why };
    if (this.waiting !== null) this.wait(this.waiting, asked, link);
    else {
      this.answer([asked], link);
      if (link !== null) this.hold();
    }
  }

  private wait(waiting: Waiting, asked: Asked, link: string | null): void {
    if (waiting.asked.length >= MOST_WAITING) {
      this.tell({ type: "error", id: asked.id, message: `More than ${MOST_WAITING} messages came at once.` });
      return;
    }
    waiting.asked.push(asked);
    waiting.link = link ?? waiting.link;
  }

  private hold(): void {
    this.waiting = { asked: [], link: null };
    this.soon(() => {
      const waiting = this.waiting;
      this.waiting = null;
      if (waiting === null || waiting.asked.length === 0) return;
      this.answer(waiting.asked, waiting.link);
      if (waiting.link !== null) this.hold();
    });
  }

  /** Opens the link, and answers all who asked in the order in which they did. */
  private answer(all: readonly Asked[], link: string | null): void {
    const last = all.findLast(({ type }) => type === "setState");
    const wrong = link === null ? null : this.open(link, last?.id ?? null);
    const state = stateIn(this.store.getState(), this.panels);
    for (const asked of all) {
      const { id } = asked;
      if (asked.type === "refused") this.tell({ type: "error", id, message: asked.why });
      else if (asked.type === "setState" && asked !== last)
        this.tell({ type: "state", id: asked.id, state, isSuperseded: true });
      else if (asked.type === "setState" && wrong !== null) this.tell({ type: "error", id, message: wrong });
      else this.tell({ type: "state", id: asked.id, state });
    }
    this.settle();
  }

  /** What is wrong with the link, as far as the page knows by itself. */
  private open(link: string, id: string | null): string | null {
    this.isHostsDoing = true;
    this.blamed = id;
    this.told = null;
    this.store.dispatch({ type: "linkOpened", hash: link });
    this.isHostsDoing = false;
    this.told = this.store.getState().view.linkError;
    return this.told;
  }

  /** The simulation may refuse later what the page took for good; then the page may go back to what it can show. */
  changed(): void {
    const { view, inHand } = this.store.getState();
    const isRefusal = !this.isHostsDoing && view.linkError !== null && view.linkError !== this.told;
    if (!this.isHostsDoing) this.told = view.linkError;
    if (isRefusal) this.tell({ type: "error", id: this.blamed, message: view.linkError });
    if (inHand !== null) return;
    const next = selectSharedLink(this.store.getState());
    if (next === this.link) return;
    this.link = next;
    if (!this.isHostsDoing) this.blamed = null;
    const isUserInitiated = !this.isHostsDoing && !isRefusal;
    this.tell({ type: "change", isUserInitiated, state: stateIn(this.store.getState(), this.panels) });
  }

  /** Once for each scenario, and again where it is come back to. */
  settle(): void {
    const state = this.store.getState();
    if (state.inHand !== null || this.isHostsDoing) return;
    if (state.failure !== null && state.failure !== this.failure)
      this.tell({ type: "error", id: this.blamed, message: state.failure.error.message });
    this.failure = state.failure;
    const figures = answerIn(state);
    const scenario = figures === null ? null : `${this.link} ${state.attempt} ${state.budgetFactor}`;
    if (figures !== null && scenario !== this.settled)
      this.tell({ type: "settled", state: stateIn(state, this.panels), figures });
    this.settled = scenario;
  }

  ready(problems: readonly string[]): void {
    this.tell({ type: "ready", state: stateIn(this.store.getState(), this.panels) });
    for (const message of problems) this.tell({ type: "error", id: null, message });
  }
}

/**
 * Says `ready`, then listens and tells until the returned function is called. `early`: what came before there was
 * anybody to hear it; `problems`: what the frame's address asks for, and there is not; `panels`: what it is to show.
 */
export function openBridge(
  store: AppStore, line: Line, soon: Soon, early: readonly unknown[] = [], problems: readonly string[] = [],
  panels: readonly string[] = [],
): () => void {
  const bridge = new Bridge(store, line, soon, panels);
  const hangUp = line.listen((data) => bridge.hear(data));
  const stop = store.subscribe(() => {
    bridge.changed();
    bridge.settle();
  });
  bridge.ready(problems);
  for (const data of early) bridge.hear(data);
  return () => {
    hangUp();
    stop();
  };
}
