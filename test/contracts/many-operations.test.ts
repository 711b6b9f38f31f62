import { describe, expect, it } from "vitest";
import { json, type Reply, verifyServed } from "./served-document.js";

describe("accord verify", () => {
  it.each([
    [20, ["planned", "request"]],
    [520, ["request", "planned"]],
  ])("asks a server with %i operations in this order: %j", async (count, want) => {
    const limit = { name: "limit", in: "query", schema: { type: "integer", minimum: 1 } };
    const read = (n: number) => ({ operationId: `read${n}`, parameters: [limit], responses: { 200: json({}) } });
    const paths = Object.fromEntries(Array.from({ length: count }, (_, n) => [`/things${n}`, { get: read(n) }]));
    const events = new Set<string>();
    const stop = new AbortController();
    const note = (event: string) => {
      if (events.add(event).size === want.length) stop.abort();
    };
    const answer = (): Reply => {
      note("request");
      return [200, {}];
    };
    // The report of a run that is stopped before its first check is an error.
    await verifyServed({ paths, answer }, { signal: stop.signal, onPlanned: () => note("planned") }).catch(() => {});
    expect([...events]).toEqual(want);
  });
});
