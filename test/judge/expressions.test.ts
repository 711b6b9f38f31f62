import { describe, expect, it } from "vitest";
import { expressionsIn, literal, literals } from "../../src/contract/expressions.js";
import { valueAt } from "../../src/contract/json-pointer.js";
import { resolveValue } from "../../src/judge/expressions.js";

const earlier = { sent: { id: 7, list: [1], empty: "" } };
const resolve = (template: unknown) => resolveValue(template, (path) => valueAt(earlier, `/${path.join("/")}`));

describe("resolveValue", () => {
  it.each<[template: unknown, want: unknown]>([
    [{ a: ["$sent.id", 1, null] }, { a: [7, 1, null] }],
    ["$sent.list", [1]],
    ["$sent.empty", ""],
    ["id {$sent.id} of {$sent.list}", "id 7 of [1]"],
    ["$5 and {x} and $", "$5 and {x} and $"],
    ["$sent.id!", "$sent.id!"],
    ["$$$sent.id", "$sent.id"],
    ["$${$sent.id}", "{$sent.id}"],
  ])("replaces the expressions in %j", (template, want) => {
    expect(resolve(template)).toEqual(want);
  });

  it.each(["$sent.id", "{$sent.id}", "$", "$$", "a", "", "\n$x"])("keeps %j once it is written literally", (text) => {
    expect(resolve(literal(text))).toBe(text);
    expect(expressionsIn(literal(text))).toEqual([]);
  });
});

it("writes a value that is missing as none", () => expect(literals(undefined)).toBeUndefined());

it("lists expressions", () => {
  expect(expressionsIn({ a: ["$sent.id", "{$x.y} {$z}"], b: "$$no", c: 1 })).toEqual(["sent.id", "x.y", "z"]);
});
