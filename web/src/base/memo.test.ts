import { describe, expect, it } from "vitest";
import { withNewest } from "./boundedMap";
import { memoBy, memoLast, memoOn } from "./memo";

describe("memory of the last answer", () => {
  it("holds while the arguments are the same", () => {
    let calls = 0;
    const sum = memoLast((a: number, b: number) => (calls++, a + b));
    expect([sum(1, 2), sum(1, 2), sum(2, 2), sum(1, 2)]).toEqual([3, 3, 4, 3]);
    expect(calls).toBe(3);
  });
  it("holds for each input on its own", () => {
    let calls = 0;
    const next = memoBy(({ of }: { readonly of: number }) => (calls++, of < 0 ? undefined : of + 1));
    const [one, none] = [{ of: 1 }, { of: -1 }];
    expect([next(one), next(none), next(one), next(none), next({ of: 1 })]).toEqual([2, undefined, 2, undefined, 2]);
    expect(calls).toBe(3);
  });
  it("holds while the parts that matter are the same", () => {
    let calls = 0;
    const name = memoOn(
      (person: { name: string; age: number }) => [person.name],
      ({ name: own }) => (calls++, own.toUpperCase()),
    );
    expect([name({ name: "a", age: 1 }), name({ name: "a", age: 2 }), name({ name: "b", age: 2 })]).toEqual([
      "A", "A", "B",
    ]);
    expect(calls).toBe(2);
  });
});

describe("a bounded map", () => {
  it("drops the oldest, and counts what is set again as new", () => {
    const full = withNewest(withNewest(new Map([["a", 1]]), "b", 2, 2), "a", 3, 2);
    const next = withNewest(full, "c", 4, 2);
    expect([...next]).toEqual([["a", 3], ["c", 4]]);
    expect([...full]).toEqual([["b", 2], ["a", 3]]);
  });
});
