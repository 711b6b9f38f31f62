import { describe, expect, it } from "vitest";
import { retryAfterSeconds, waitSeconds } from "../../../src/http/retry-after.js";
import { retryingFetch } from "../../../src/runtime/rest/client/retry.js";

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
  it("does not retry at once after a wait that is too long for a timer", async () => {
    let calls = 0;
    const limited = () =>
      Promise.resolve(new Response(null, { status: 429, headers: { "Retry-After": String(3_000_000 + calls++) } }));
    const warnings: string[] = [];
    const warn = ({ name }: Error) => warnings.push(name);
    process.on("warning", warn);
    const abort = new AbortController();
    const send = retryingFetch(limited, { maxWaitSeconds: Number.POSITIVE_INFINITY, attempts: 9 });
    const call = send(new Request("http://127.0.0.1/", { signal: abort.signal }));
    while (calls === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    // Node warns as soon as it shortens a timer, and a shortened timer fires after a millisecond.
    await new Promise((resolve) => setTimeout(resolve, 50));
    abort.abort();
    await expect(call).rejects.toThrow("aborted");
    process.off("warning", warn);
    expect([calls, warnings]).toEqual([1, []]);
  });

  it.each([{ attempts: 0 }, { attempts: Number.NaN }, { maxWaitSeconds: -1 }, { maxWaitSeconds: Number.NaN }])(
    "rejects the options %j",
    (options) => {
      expect(() => retryingFetch(fetch, options)).toThrow(/^retry\.\w+ is (?:0|-1|NaN): pass a number from [01]$/);
    },
  );
});
