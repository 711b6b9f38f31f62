import { expect, it } from "vitest";
import { createRateLimit, maxLimitedUsers } from "../../../../reference/chat/http/admission.js";

// Dropping a user in other than constant time makes this take minutes.
it("forgets the user that was silent for longest, beyond the most users that it remembers", () => {
  const limit = createRateLimit(1, { now: () => 0 });
  const isRefused = (userId: number) => limit(userId) !== undefined;
  const callers = 10 * maxLimitedUsers;
  for (let userId = 1; userId <= callers; userId++) isRefused(userId);
  const oldestRemembered = callers - maxLimitedUsers + 1;
  expect([oldestRemembered, callers].map(isRefused)).toEqual([true, true]);
  expect([oldestRemembered - 1, 1].map(isRefused)).toEqual([false, false]);
  // Who has called again stays, and the next one is forgotten instead.
  expect([oldestRemembered, oldestRemembered + 1].map(isRefused)).toEqual([true, false]);
});
