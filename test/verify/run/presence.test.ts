import { describe, expect, it } from "vitest";
import type { Exchange } from "../../../src/judge/exchange.js";
import { findPresence } from "../../../src/verify/run/presence.js";

const answer = (status: number, text: string, problems: readonly string[] = []): Exchange => ({
  ...{ status, text, bytes: Buffer.from(text), body: JSON.parse(text), headers: new Headers() },
  ...{ path: "", request: "", isRefusal: false },
  contractProblems: () => problems.map((text) => ({ text })),
});
const notFound = answer(404, '{"code": "not-found"}');
const noArtwork = answer(404, '{"code": "no-such-artwork"}');
const unknown = { kind: "unknown", isUnasked: true };

describe("findPresence", () => {
  it.each([
    { name: "a 404 like that of any path, to a valid id", response: notFound, want: { kind: "not-implemented" } },
    { name: "the same, to a malformed id", response: notFound, isMalformed: true, want: unknown },
    {
      name: "the page of a router, to a malformed id",
      response: answer(404, '"no route"', ["a page"]),
      isMalformed: true,
      want: unknown,
    },
    { name: "its own 404, to a malformed id", response: noArtwork, isMalformed: true, want: { kind: "there" } },
    {
      name: "405, to a malformed id",
      response: answer(405, "{}"),
      isMalformed: true,
      want: { kind: "not-implemented" },
    },
  ])("judges $name", async ({ response, isMalformed = false, want }) => {
    const found = findPresence({ valid: response, nowhere: async () => notFound, isMalformed });
    await expect(found).resolves.toMatchObject(want);
  });
});
