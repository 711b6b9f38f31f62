import { describe, expect, it } from "vitest";
import { valueAt } from "../../src/contract/json-pointer.js";
import type { Matcher } from "../../src/contract/matcher.js";
import { compileMatcher } from "../../src/judge/compile-matcher.js";
import type { Scope } from "../../src/judge/expressions.js";

const earlier = { sent: { id: 7, text: "hi", list: [1, 2], none: null } };
const scope: Scope = (path) => valueAt(earlier, `/${path.join("/")}`);
/** What is wrong: the pointer, and what was expected. Undefined if the value matches. */
function wrong(matcher: Matcher, value: unknown): string | undefined {
  const found = compileMatcher(matcher)(value, scope);
  return found && `${found.at}: ${found.expected}`;
}

const digest = "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4";

describe("a matcher", () => {
  it.each<[matcher: Matcher, passes: readonly unknown[], fails: readonly unknown[], expected: string]>([
    [5, [5], [6, "5", undefined, null], ": 5"],
    ["a", ["a"], ["b", undefined], ': "a"'],
    [null, [null], [undefined, 0], ": null"],
    ["$sent.id", [7], ["7", undefined], ": 7"],
    ["$sent.list", [[1, 2]], [[1], [1, 2, 3]], ": [1,2]"],
    ["$$$sent.id", ["$sent.id"], [7], ': "$sent.id"'],
    ["{$sent.text}, {$sent.id}", ["hi, 7"], ["hi"], ': "hi, 7"'],
    [
      [1, "$sent.id"],
      [
        [1, 7],
        [1, 7, 8],
      ],
      [[1], [1, 8]],
      "/1: 7",
    ],
    [[], [[], [1]], [{}, "", undefined], ": a list"],
    [{ present: true }, [0, "", false, []], [undefined, null], ": a value"],
    [{ present: false }, [undefined, null], [0, ""], ": nothing"],
    [{ "if-present": 5 }, [5, undefined, null, "", [], {}], [6], ": 5"],
    [{ "if-present": "$sent.unknown" }, [5, undefined], [], ""],
    [{ type: "integer" }, [1, -2, 2 ** 60], [1.5, "1", null, undefined], ": a value of type integer"],
    [{ type: "array" }, [[]], [{}, null], ": a value of type array"],
    [{ type: "object" }, [{}], [[], null], ": a value of type object"],
    [{ type: "null" }, [null], [0, undefined], ": a value of type null"],
    [{ above: "$sent.id" }, [8], [7, "8", undefined], ": a number above 7"],
    [{ below: 3 }, [2], [3, undefined], ": a number below 3"],
    [{ "at-least": 3 }, [3, 4], [2], ": a number at least 3"],
    [{ "at-most": 3 }, [3, 2], [4], ": a number at most 3"],
    [{ "at-least": 1, "at-most": 2 }, [1, 2], [3], ": a number at most 2"],
    [{ matches: "^\\p{L}+$" }, ["ä"], ["1", 1, undefined], ": a text that matches ^\\p{L}+$"],
    [{ contains: "$sent.text" }, ["oh hi!"], ["oh", 1], ': a text with "hi"'],
    [{ equals: { a: ["$sent.id"] } }, [{ a: [7] }], [{ a: [7], b: 1 }, { a: 7 }], ': {"a":[7]}'],
    [{ any: [1, { matches: "x" }] }, [1, "xy"], [2], ": 1 or a text that matches x"],
    [{ all: [{ above: 1 }, { below: 3 }] }, [2], [3], ": a number below 3"],
    [{ includes: { at: { "/id": "$sent.id" } } }, [[{ id: 1 }, { id: 7 }]], [[{ id: 1 }], {}, []], ": a list with 7"],
    [{ every: { above: 0 } }, [[1, 2], [], { a: 1 }], [[1, 0]], "/1: a number above 0"],
    [{ every: 1 }, [], ["", undefined], ": a list or an object"],
    [{ names: { includes: "a" } }, [{ a: 1 }], [{ b: 1 }], ': a list with "a"'],
    [{ at: { "/a/b": 1, "/c": { present: false } } }, [{ a: { b: 1 } }], [{ a: {} }, undefined], "/a/b: 1"],
    [{ at: { "/by/{$sent.id}": 1, "$sent.text": "hi" } }, [{ by: { 7: 1 } }], [{ by: { 8: 1 } }], "/by/{$sent.id}: 1"],
    [{ count: 2 }, [[1, 2]], [[1]], ": a list of 2 entries"],
    [{ not: "$sent.id" }, [8, undefined], [7], ": anything but 7"],
    [{ not: { contains: "hi" } }, ["ho"], ["hi"], ": anything but such a value"],
    [{ base64: { contains: "hi" } }, [btoa("oh hi")], [btoa("oh")], ': a text with "hi"'],
    [{ "sha256-of": "$sent.text" }, [digest, digest.toUpperCase()], [digest.slice(1), 1], ": the digest"],
    [{ "same-double-as": "9007199254740993" }, ["9007199254740992"], ["9007199254740994"], ": 9007199254740992"],
  ])("%j", (matcher, passes, fails, expected) => {
    for (const value of passes) expect([value, wrong(matcher, value)]).toEqual([value, undefined]);
    for (const value of fails) expect([value, wrong(matcher, value)]).toEqual([value, expect.any(String)]);
    const [first] = fails;
    if (fails.length > 0) expect(wrong(matcher, first)).toBe(expected);
  });

  it.each<[string, Matcher]>([
    ["an unknown value", "$sent.unknown"],
    ["an unknown step", { above: "$nobody.id" }],
    ["an inherited property", "$sent.toString"],
  ])("throws for %s", (_, matcher) => {
    expect(() => wrong(matcher, 1)).toThrow(/^no earlier step has \$/);
  });

  it("throws for a malformed regular expression when it is compiled", () => {
    expect(() => compileMatcher({ matches: "(" })).toThrow(SyntaxError);
  });
});
