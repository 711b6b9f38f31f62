import { describe, expect, it } from "vitest";
import { retryAfterSeconds, retryingFetch, waitSeconds } from "../../../src/chat/client/retry.js";

const now = Date.parse("2026-11-21T10:00:00Z");

describe("retryAfterSeconds", () => {
  it.each([
    ["120", 120],
    ["0", 1],
    ["0.0083", 1],
    ["1.5", 2],
    ["Sat, 21 Nov 2026 10:00:30 GMT", 30],
    ["Saturday, 21-Nov-26 10:00:30 GMT", 30],
    ["Sat Nov 21 10:00:30 2026", 30],
    ["Sat, 21 Nov 2026 09:00:00 GMT", 1],
  ])("reads Retry-After: %s", (value, want) => {
    const headers = new Headers({ "Retry-After": value });
    expect([retryAfterSeconds(headers, now), waitSeconds(headers, now)]).toEqual([want, want]);
  });

  it.each(["", "-1", "+1", "1,2", "1, 2", "1 2", "1s", "1e9", "0x10", "soon", "2030-01-01", "Sat, 1", "Infinity"])(
    "takes the default wait for a malformed Retry-After: %j",
    (value) => {
      const headers = new Headers({ "Retry-After": value });
      expect([retryAfterSeconds(headers, now), waitSeconds(headers, now)]).toEqual([undefined, 1]);
    },
  );

  it("takes the default wait without the header", () => {
    expect([retryAfterSeconds(new Headers()), waitSeconds(new Headers())]).toEqual([undefined, 1]);
  });
});

describe("retryingFetch", () => {
  it.each([{ attempts: 0 }, { attempts: Number.NaN }, { maxWaitSeconds: -1 }, { maxWaitSeconds: Number.NaN }])(
    "rejects the options %j",
    (options) => {
      expect(() => retryingFetch(fetch, options)).toThrow(/^retry\.\w+ is (?:0|-1|NaN): pass a number from [01]$/);
    },
  );
});
