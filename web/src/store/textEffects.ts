/** Fetches the texts once they are asked for. */
import type { Engine } from "../engine";
import type { Action } from "./actions";
import type { AppState } from "./state";

export class TextEffects {
  private isUnderWay = false;
  private readonly engine: Engine;
  private readonly dispatch: (action: Action) => void;
  private readonly getState: () => AppState;

  constructor(engine: Engine, getState: () => AppState, dispatch: (action: Action) => void) {
    this.engine = engine;
    this.getState = getState;
    this.dispatch = dispatch;
  }

  stateChanged(): void {
    if (this.isUnderWay || this.getState().texts.kind !== "loading") return;
    this.isUnderWay = true;
    void this.load();
  }

  private async load(): Promise<void> {
    const end = await this.engine.texts().then(
      (texts): Action => ({ type: "textsArrived", texts }),
      (): Action => ({ type: "textsFailed" }),
    );
    this.isUnderWay = false;
    this.dispatch(end);
  }
}
