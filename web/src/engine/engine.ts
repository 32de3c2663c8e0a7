/** What the page asks of the simulation, whoever answers: a pool of workers, or the same thread in tests. */
import type { Catalogue, Texts } from "./catalogue";
import type {
  Description, EngineError, FitAsked, Fitted, FullAnswer, PointAnswer, Progress, RunOptions, Trying,
} from "./protocol";

/** One scenario to run. `key` is the asker's own name for the answer. */
export interface RunTask {
  readonly key: string;
  readonly query: string;
  readonly options: RunOptions;
}

/** A knob to be found from points. */
export interface FitTask {
  readonly key: string;
  readonly query: string;
  readonly seed: number;
  readonly fit: FitAsked;
}

export type Task = RunTask | FitTask;

/** For a report of a fault. */
export const seedOf = (task: Task): number => ("fit" in task ? task.seed : task.options.seed);

export type Outcome =
  | { readonly kind: "progress"; readonly key: string; readonly progress: Progress }
  | { readonly kind: "point"; readonly key: string; readonly point: PointAnswer }
  | { readonly kind: "trying"; readonly key: string; readonly trying: Trying }
  | { readonly kind: "fitted"; readonly key: string; readonly fitted: Fitted }
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
  /** Published figures and the words of knobs; asked for when they are shown. */
  texts(): Promise<Texts>;
  /** What the first sketch of a preset came to when the page was built; null: nothing was kept. */
  kept(preset: string): Promise<unknown>;
  /** The scenario decoder's last word on a scenario text. */
  describe(query: string): Promise<Description>;
  /**
   * Runs the tasks, earlier ones first, after all tasks of jobs given before. Outcomes come in batches, at most one
   * batch a frame. Every task ends in exactly one `point`, `full`, `fitted` or `failed`, unless cancelled.
   */
  submit(tasks: readonly Task[], deliver: (batch: readonly Outcome[]) => void): Job;
  /** While something is in the hand, one core is left to the page. */
  setHand(hand: Hand): void;
  close(): void;
}

/** Calls back once, when the page is next painted, or soon where nothing paints. */
export type NextFrame = (callback: () => void) => void;

/**
 * Each batch waits a frame longer than the one before, up to so many: the page has painting to do, and the cores have
 * better.
 */
const MOST_FRAMES = { dragging: 2, rest: 6 } as const;

/**
 * Collects outcomes and hands them on at most once a frame, the first and the last as soon as may be. While something
 * is in the hand the first does not wait for a frame: the next move of the hand comes with it, and would make it an old
 * answer.
 */
export class FrameBatch {
  private batch: Outcome[] = [];
  private isWaiting = false;
  private frames: number;
  private isCancelled = false;
  private missing: number;
  private readonly hand: Hand;
  private readonly soon: NextFrame;
  private readonly nextFrame: NextFrame;
  private readonly deliver: (batch: readonly Outcome[]) => void;

  /** `count`: so many tasks will end. */
  constructor(
    count: number, hand: Hand, soon: NextFrame, nextFrame: NextFrame, deliver: (batch: readonly Outcome[]) => void,
  ) {
    this.missing = count;
    this.hand = hand;
    this.soon = soon;
    this.frames = hand === "dragging" ? 0 : 1;
    this.nextFrame = nextFrame;
    this.deliver = deliver;
  }

  add(outcome: Outcome): void {
    if (this.isCancelled) return;
    this.batch.push(outcome);
    if (outcome.kind !== "progress" && outcome.kind !== "trying") this.missing--;
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.wait(this.frames);
    this.frames = Math.min(this.frames + 1, MOST_FRAMES[this.hand]);
  }

  private wait(frames: number): void {
    if (frames === 0) this.soon(() => this.flush());
    else this.nextFrame(() => (frames > 1 && this.missing > 0 ? this.wait(frames - 1) : this.flush()));
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
