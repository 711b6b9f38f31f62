import { describe, expect, it } from "vitest";
import type { Expectation } from "../../src/contract/check.js";
import type { Exchange } from "../../src/judge/exchange.js";
import { judgeExpectations } from "../../src/judge/judge-expectations.js";

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

function judge(expectations: readonly Expectation[], response: Exchange) {
  const scope = ([head, name]: readonly string[]) => (head === "first" && name === "id" ? 7 : undefined);
  const { unmet, hidden } = judgeExpectations(expectations, response, scope, (text) => text);
  const broken = unmet.map(({ expectation, problems }) => [...(expectation.rules ?? []), ...problems]);
  return { broken, hidden: Object.fromEntries(hidden) };
}

const kept = { broken: [], hidden: {} };

describe("judgeExpectations", () => {
  it.each<[what: string, expectation: Expectation, response: Exchange, want: ReturnType<typeof judge>]>([
    ["holds", { rules: ["a"], body: { "/id": 7 } }, exchange("ok", { id: 7 }), kept],
    [
      "does not hold",
      { rules: ["a", "b"], body: { "/id": { not: "$first.id" } } },
      exchange("ok", { id: 7 }),
      { broken: [["a", "b", "/id: expected anything but 7, got 7"]], hidden: {} },
    ],
    [
      "is about another status",
      { rules: ["a"], on: { not: "ok" }, body: { "/id": 8 } },
      exchange("ok", { id: 7 }),
      kept,
    ],
    [
      "is about the status, with a note",
      { rules: ["a"], status: "ok", note: "look there" },
      exchange("not_found", { code: "not_found" }),
      { broken: [["a", 'status: expected "ok", got "not_found" with {"code":"not_found"}; look there']], hidden: {} },
    ],
    [
      "is about a fact",
      { rules: ["a"], body: { "$exchange.message": { every: { hides: ["hunter22"] } } } },
      exchange("unavailable", {}, { message: { "the message": "GET /hunter%3222" } }),
      { broken: [["a", 'the message: expected no secret of the request, got "***"']], hidden: {} },
    ],
    [
      "compares another value of the response",
      { rules: ["a"], body: { "/node": { count: "$response.count" } } },
      exchange("ok", { node: [1, 2, 3], count: 2 }),
      { broken: [["a", "/node: expected a list of 2 entries, got 3"]], hidden: {} },
    ],
    [
      "has no evidence",
      {
        rules: ["a"],
        shownBy: [{ body: { "/node/*/name": { not: { every: "" } } }, otherwise: "no name" }],
      },
      exchange("ok", { node: [{ name: "" }, { name: "" }] }),
      { broken: [], hidden: { a: "no name" } },
    ],
    [
      "has evidence",
      {
        rules: ["a"],
        shownBy: [{ body: { "/node/*/name": { not: { every: "" } } }, otherwise: "no name" }],
      },
      exchange("ok", { node: [{ name: "" }, { name: "Oslo" }] }),
      kept,
    ],
    [
      "expects a list of exactly these entries",
      { rules: ["a"], body: { "/node": { entries: [1, { above: 1 }] } } },
      exchange("ok", { node: [1, 2, 3] }),
      { broken: [["a", "/node: expected a list of 2 entries, got 3"]], hidden: {} },
    ],
  ])("judges an expectation that %s", (_, expectation, response, want) => {
    expect(judge([expectation], response)).toEqual(want);
  });
});
