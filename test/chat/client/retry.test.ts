import { describe, expect, it } from "vitest";
import { retryAfterSeconds } from "../../../src/chat/client/retry.js";

const now = Date.parse("2026-11-21T10:00:00Z");

describe("retryAfterSeconds", () => {
  it.each([
    ["120", 120],
    ["0", 0],
    ["1.5", 1.5],
    ["Sat, 21 Nov 2026 10:00:30 GMT", 30],
    ["Sat, 21 Nov 2026 09:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
  ])("reads Retry-After: %s", (value, want) => {
    expect(retryAfterSeconds(new Headers({ "Retry-After": value }), now)).toBe(want);
  });

  it("returns undefined without the header", () => {
    expect(retryAfterSeconds(new Headers(), now)).toBeUndefined();
  });
});
