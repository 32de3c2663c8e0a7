/** Questions that are answered later: only the last answer counts, and none once it was taken back. */
import { useEffect, useState } from "react";

type Refused = { readonly wrong: string };

export interface LastAnswer {
  /** What was asked counts no more. */
  readonly drop: () => void;
  /** The answer, or why there is none; null where it counts no more. */
  readonly of: <T>(answer: Promise<T>) => Promise<T | Refused | null>;
}

export function lastAnswer(): LastAnswer {
  let last = 0;
  return {
    drop: () => {
      last += 1;
    },
    of: async (answer) => {
      const own = (last += 1);
      const found = await answer.catch(
        (thrown: unknown): Refused => ({ wrong: thrown instanceof Error ? thrown.message : String(thrown) }),
      );
      return own === last ? found : null;
    },
  };
}

/** Of a field: none counts once the field is gone. */
export function useLastAnswer(): LastAnswer {
  const [last] = useState(lastAnswer);
  useEffect(() => last.drop, [last]);
  return last;
}
