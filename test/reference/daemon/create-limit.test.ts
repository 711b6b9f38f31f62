import { describe, expect, it } from "vitest";
import { createLimit } from "../../../reference/daemon/create-limit.js";

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Pieces of work that last until they are ended, and which of them have begun. */
function pieces(count: number) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (index: number) => () => {
    begun.push(index);
    return new Promise<number>((resolve) => {
      ends[index] = () => resolve(index);
    });
  };
  return {
    begun,
    end: (index: number) => ends[index]?.(),
    all: Array.from({ length: count }, (_, index) => work(index)),
  };
}

describe("a limit", () => {
  it("does so much at the same time, and the rest in order", async () => {
    const limit = createLimit(2);
    const { begun, end, all } = pieces(4);
    const results = all.map((work) => limit(never, work));
    await turn();
    expect(begun).toEqual([0, 1]);
    end(1);
    await turn();
    expect(begun).toEqual([0, 1, 2]);
    end(0);
    end(2);
    await turn();
    end(3);
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
  });

  it("goes on after work that fails", async () => {
    const limit = createLimit(1);
    await expect(limit(never, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await limit(never, async () => "done")).toBe("done");
  });

  it("does not do what nobody waits for any more", async () => {
    const limit = createLimit(1);
    const { begun, end, all } = pieces(1);
    const first = all.map((work) => limit(never, work));
    const abort = new AbortController();
    const given = limit(abort.signal, async () => "never");
    await turn();
    abort.abort(new Error("gone"));
    await expect(given).rejects.toThrow("gone");
    await expect(limit(abort.signal, async () => "never")).rejects.toThrow("gone");
    end(0);
    await Promise.all(first);
    expect(begun).toEqual([0]);
    expect(await limit(never, async () => "free again")).toBe("free again");
  });
});
