type Tell = (value: number, phase: "drag" | "commit") => void;

/** A press on what has a value: each other value is told once, the last again when it is let go; if none came, none. */
export class Press {
  private isMoved = false;
  private last: number;

  constructor(value: number) {
    this.last = value;
  }

  lead(value: number, tell: Tell): void {
    if (value === this.last) return;
    this.last = value;
    this.isMoved = true;
    tell(value, "drag");
  }

  release(tell: Tell): void {
    if (this.isMoved) tell(this.last, "commit");
  }
}
