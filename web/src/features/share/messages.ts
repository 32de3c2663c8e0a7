/** What a frame and the page that holds it say to one another: the reference beside the snippet, and in the README. */

export interface MessageRow {
  readonly from: "host" | "frame";
  readonly types: readonly string[];
  /** Words between backticks are code. */
  readonly says: string;
}

export const messageRows: readonly MessageRow[] = [
  {
    from: "host", types: ["getState", "setState"],
    says: "`id`, at most 64 characters; `setState` with `link`, `#v1/…`, at most 8,192 characters",
  },
  {
    from: "frame", types: ["ready"],
    says: "`state`: `link`, `finding`, `stage`, and `notice`, such as keys of the link that it does not know",
  },
  {
    from: "frame", types: ["state"],
    says: "the answer, with `id` and `state`; `isSuperseded` where a later `setState` of the same frame of time came "
      + "before this one acted",
  },
  {
    from: "frame", types: ["change"],
    says: "`state` and `isUserInitiated`: the learner moved something, or the host did; `link` is the present one, "
      + "`finding` is empty until something is known of it",
  },
  {
    from: "frame", types: ["settled"],
    says: "after each change, once its answer stands: `state`, whose `stage` is `settled`, or `truncated` where the "
      + "budget of events ended first, and `figures`, by name: `unit`, `a`, `b` and `difference`, each `mean` and "
      + "`ci95`, half the width of the 95 % interval, or null; `difference` is B − A, paired, "
      + "with a `unit` of its own",
  },
  {
    from: "frame", types: ["error"],
    says: "`message`, and the `id` of what is at fault, or null; what only the simulation can refuse comes a moment "
      + "after `state`, what is misspelt in the address after `ready`",
  },
  { from: "frame", types: ["port"], says: "nothing, and brings the port on which all else is said; see below" },
];
