import { describe, expect, it } from "vitest";
import type { Claim } from "../../src/contract/check.js";
import type { Exchange } from "../../src/judge/exchange.js";
import { judgeClaims } from "../../src/judge/judge-claims.js";

function exchange(status: Exchange["status"], body: unknown, facts = {}): Exchange {
  return {
    ...{
      status,
      body,
      facts,
      path: "",
      request: "",
      text: "",
      bytes: new Uint8Array(),
      headers: new Headers(),
      isRefusal: status !== "ok",
    },
    contractProblems: () => [],
  };
}

function judge(claims: readonly Claim[], response: Exchange) {
  const scope = ([head, name]: readonly string[]) => (head === "first" && name === "id" ? 7 : undefined);
  const { broken, hidden } = judgeClaims(claims, response, scope, (text) => text);
  return { broken: broken.map(({ claim, problem }) => [...claim.rules, problem]), hidden: Object.fromEntries(hidden) };
}

const kept = { broken: [], hidden: {} };

describe("judgeClaims", () => {
  it.each<[what: string, claim: Claim, response: Exchange, want: ReturnType<typeof judge>]>([
    ["holds", { rules: ["a"], expect: { body: { "/id": 7 } } }, exchange("ok", { id: 7 }), kept],
    [
      "does not hold",
      { rules: ["a", "b"], expect: { body: { "/id": { not: "$first.id" } } } },
      exchange("ok", { id: 7 }),
      { broken: [["a", "b", "/id: expected anything but 7, got 7"]], hidden: {} },
    ],
    [
      "is about another status",
      { rules: ["a"], on: { not: "ok" }, expect: { body: { "/id": 8 } } },
      exchange("ok", { id: 7 }),
      kept,
    ],
    [
      "is about the status, with a note",
      { rules: ["a"], expect: { status: "ok" }, note: "look there" },
      exchange("not_found", { code: "not_found" }),
      { broken: [["a", 'status: expected "ok", got "not_found" with {"code":"not_found"}; look there']], hidden: {} },
    ],
    [
      "is about a fact",
      { rules: ["a"], expect: { body: { "$exchange.message": { every: { hides: ["hunter22"] } } } } },
      exchange("unavailable", {}, { message: { "the message": "GET /hunter%3222" } }),
      { broken: [["a", 'the message: expected no secret of the request, got "***"']], hidden: {} },
    ],
    [
      "compares another value of the response",
      { rules: ["a"], expect: { body: { "/node": { count: "$response.count" } } } },
      exchange("ok", { node: [1, 2, 3], count: 2 }),
      { broken: [["a", "/node: expected a list of 2 entries, got 3"]], hidden: {} },
    ],
    [
      "has no evidence",
      {
        rules: ["a"],
        shownBy: [{ expect: { body: { "/node/*/name": { not: { every: "" } } } }, otherwise: "no name" }],
      },
      exchange("ok", { node: [{ name: "" }, { name: "" }] }),
      { broken: [], hidden: { a: "no name" } },
    ],
    [
      "has evidence",
      {
        rules: ["a"],
        shownBy: [{ expect: { body: { "/node/*/name": { not: { every: "" } } } }, otherwise: "no name" }],
      },
      exchange("ok", { node: [{ name: "" }, { name: "Oslo" }] }),
      kept,
    ],
    [
      "expects a list of exactly these entries",
      { rules: ["a"], expect: { body: { "/node": { entries: [1, { above: 1 }] } } } },
      exchange("ok", { node: [1, 2, 3] }),
      { broken: [["a", "/node: expected a list of 2 entries, got 3"]], hidden: {} },
    ],
  ])("judges a claim that %s", (_, claim, response, want) => {
    expect(judge([claim], response)).toEqual(want);
  });
});
