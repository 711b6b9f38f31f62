import { describe, expect, it } from "vitest";
import { createQueues } from "../../../../reference/daemon/networks/create-queues.js";

/** Work that ends on demand and records when it begins. */
function controlled(log: string[], name: string) {
  let end = (_failure?: Error) => {};
  const work = () => {
    log.push(name);
    return new Promise<string>((resolve, reject) => {
      end = (failure) => (failure === undefined ? resolve(name) : reject(failure));
    });
  };
  return { work, end: (failure?: Error) => end(failure) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("createQueues", () => {
  it("runs work for one key in order, and for different keys concurrently", async () => {
    const queue = createQueues<number>();
    const log: string[] = [];
    const [first, second, other] = [controlled(log, "first"), controlled(log, "second"), controlled(log, "other")];
    const results = [queue(1, first.work), queue(1, second.work), queue(2, other.work)];
    await turn();
    expect(log).toEqual(["first", "other"]);
    first.end();
    await turn();
    expect(log).toEqual(["first", "other", "second"]);
    second.end();
    other.end();
    expect(await Promise.all(results)).toEqual(["first", "second", "other"]);
  });

  it("continues after failed work, and reports the failure to its caller", async () => {
    const queue = createQueues<number>();
    const failed = queue(1, () => Promise.reject(new Error("broken")));
    const after = queue(1, async () => "done");
    await expect(failed).rejects.toThrow("broken");
    expect(await after).toBe("done");
  });
});
