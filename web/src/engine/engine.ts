/** What the page asks of the simulation, whoever answers: a pool of workers, or the same thread in tests. */
import type { Catalogue } from "./catalogue";
import type { Description, EngineError, FullAnswer, PointAnswer, Progress, RunOptions } from "./protocol";

/** One scenario to run. `key` is the asker's own name for the answer. */
export interface Task {
  readonly key: string;
  readonly query: string;
  readonly options: RunOptions;
}

export type Outcome =
  | { readonly kind: "progress"; readonly key: string; readonly progress: Progress }
  | { readonly kind: "point"; readonly key: string; readonly point: PointAnswer }
  | { readonly kind: "full"; readonly key: string; readonly full: FullAnswer }
  | {
      readonly kind: "failed";
      readonly key: string;
      readonly error: EngineError;
      /** To copy into a report of the fault. */
      readonly scenario: string;
      readonly seed: number;
    };

export interface Job {
  /** No outcome of this job is delivered after this returns. */
  cancel(): void;
}

export type Hand = "dragging" | "rest";

export interface Engine {
  readonly catalogue: Catalogue;
  /** The scenario decoder's last word on a scenario text. */
  describe(query: string): Promise<Description>;
  /**
   * Runs the tasks, earlier ones first, after all tasks of jobs given before. Outcomes come in batches, at most one
   * batch a frame. Every task ends in exactly one `point`, `full` or `failed`, unless cancelled.
   */
  submit(tasks: readonly Task[], deliver: (batch: readonly Outcome[]) => void): Job;
  /** While something is in the hand, one core is left to the page. */
  setHand(hand: Hand): void;
  close(): void;
}

/** Calls back once, when the page is next painted, or soon where nothing paints. */
export type NextFrame = (callback: () => void) => void;

/** After the first batch, so many frames between batches: the page has painting to do. */
const FRAMES_BETWEEN = 2;

/** Collects outcomes and hands them on at most once a frame, the first as soon as may be. */
export class FrameBatch {
  private batch: Outcome[] = [];
  private isWaiting = false;
  private isFirst = true;
  private isCancelled = false;
  private readonly nextFrame: NextFrame;
  private readonly deliver: (batch: readonly Outcome[]) => void;

  constructor(nextFrame: NextFrame, deliver: (batch: readonly Outcome[]) => void) {
    this.nextFrame = nextFrame;
    this.deliver = deliver;
  }

  add(outcome: Outcome): void {
    if (this.isCancelled) return;
    this.batch.push(outcome);
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.wait(this.isFirst ? 1 : FRAMES_BETWEEN);
    this.isFirst = false;
  }

  private wait(frames: number): void {
    this.nextFrame(() => (frames > 1 ? this.wait(frames - 1) : this.flush()));
  }

  cancel(): void {
    this.isCancelled = true;
    this.batch = [];
  }

  private flush(): void {
    this.isWaiting = false;
    if (this.batch.length === 0) return;
    const batch = this.batch;
    this.batch = [];
    this.deliver(batch);
  }
}
