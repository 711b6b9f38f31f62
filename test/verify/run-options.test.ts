import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { CouldNotRunError } from "../../src/base/could-not-run-error.js";
import { maxSeed, type RunOptions, resolveRunOptions, resolveSeed } from "../../src/verify/run-options.js";

describe("resolveRunOptions", () => {
  it("fills in defaults, and keeps the rest", () => {
    expect(resolveRunOptions({ bail: true })).toEqual({
      bail: true,
      jobs: availableParallelism() * 2,
      restartWaitMs: 30_000,
      timeoutMs: 30_000,
    });
    const given = { jobs: 1, restartWaitMs: 0, timeoutMs: 1, shard: { index: 2, of: 2 } };
    expect(resolveRunOptions(given)).toEqual(given);
  });

  it.each<[RunOptions, string]>([
    [{ jobs: 0 }, "jobs must be an integer of at least 1, not 0"],
    [{ jobs: -1 }, "jobs must be an integer of at least 1, not -1"],
    [{ jobs: Number.NaN }, "jobs must be an integer of at least 1, not NaN"],
    [{ jobs: 1.5 }, "jobs must be an integer of at least 1, not 1.5"],
    [{ timeoutMs: -5 }, "timeoutMs must be an integer from 1 to 3600000, not -5"],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, "timeoutMs must be an integer from 1 to 3600000, not Infinity"],
    [{ shard: { index: 3, of: 2 } }, "shard.index must be an integer from 1 to 2, not 3"],
    [{ shard: { index: 0, of: 2 } }, "shard.index must be an integer from 1 to 2, not 0"],
    [{ shard: { index: 1, of: 0 } }, "shard.of must be an integer of at least 1, not 0"],
  ])("rejects %j", (options, message) => {
    expect(() => resolveRunOptions(options)).toThrow(new CouldNotRunError(message));
  });
});

describe("resolveSeed", () => {
  it("keeps a seed, or picks a random one", () => {
    expect([resolveSeed(0), resolveSeed(maxSeed)]).toEqual([0, maxSeed]);
    const picked = Array.from({ length: 20 }, () => resolveSeed());
    expect(new Set(picked).size).toBeGreaterThan(1);
    for (const seed of picked) expect(resolveSeed(seed)).toBe(seed);
  });

  it.each([-1, 0.5, Number.NaN, maxSeed + 1])("rejects %d", (seed) => {
    expect(() => resolveSeed(seed)).toThrow(
      new CouldNotRunError(`seed must be an integer from 0 to 2147483647, not ${seed}`),
    );
  });
});
