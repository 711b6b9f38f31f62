import { expect, it } from "vitest";
import { createRateLimit, maxLimitedUsers } from "../../../../reference/chat/http/admission.js";

// Takes minutes unless dropping a user takes constant time.
it("drops the user who was idle longest when it tracks too many users", () => {
  const limit = createRateLimit(1, { now: () => 0 });
  const isRefused = (userId: number) => limit({ id: userId, realm_id: 1 }) !== undefined;
  const callers = 10 * maxLimitedUsers;
  for (let userId = 1; userId <= callers; userId++) isRefused(userId);
  const oldestRemembered = callers - maxLimitedUsers + 1;
  expect([oldestRemembered, callers].map(isRefused)).toEqual([true, true]);
  expect([oldestRemembered - 1, 1].map(isRefused)).toEqual([false, false]);
  // A user who called again stays, and the next one is dropped instead.
  expect([oldestRemembered, oldestRemembered + 1].map(isRefused)).toEqual([true, false]);
});
