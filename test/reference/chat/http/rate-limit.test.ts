import { describe, expect, it } from "vitest";
import { createRateLimit, maxLimitedUsers } from "../../../../reference/chat/http/rate-limit.js";

describe("createRateLimit", () => {
  it("allows bursts of one second's requests, and the rate afterwards", async () => {
    let now = 1_800_000_000_000;
    const limit = createRateLimit(3, { now: () => now });
    const passed = async (requests: number) => {
      let count = 0;
      for (let index = 0; index < requests; index++) {
        if ((await limit({ id: 1, realm_id: 1 })) === undefined) count++;
      }
      return count;
    };
    expect(await passed(9)).toBe(3);
    now += 334;
    expect(await passed(9)).toBe(1);
    now += 60_000;
    expect(await passed(9)).toBe(3);
    // The clock is set back.
    now -= 3_600_000;
    expect(await passed(9)).toBe(3);
  });

  // Takes minutes unless dropping a user takes constant time.
  it("drops the user who was idle longest when it tracks too many users", async () => {
    const limit = createRateLimit(1, { now: () => 0 });
    const isRefused = async (userId: number) => (await limit({ id: userId, realm_id: 1 })) !== undefined;
    const areRefused = async (...userIds: number[]) => {
      const refused: boolean[] = [];
      for (const userId of userIds) refused.push(await isRefused(userId));
      return refused;
    };
    const callers = 10 * maxLimitedUsers;
    for (let userId = 1; userId <= callers; userId++) await isRefused(userId);
    const oldestRemembered = callers - maxLimitedUsers + 1;
    expect(await areRefused(oldestRemembered, callers)).toEqual([true, true]);
    expect(await areRefused(oldestRemembered - 1, 1)).toEqual([false, false]);
    // A user who called again stays, and the next one is dropped instead.
    expect(await areRefused(oldestRemembered, oldestRemembered + 1)).toEqual([true, false]);
  });
});
