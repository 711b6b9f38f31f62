import { expect, it } from "vitest";
import { pointerKeys, valueAt } from "../../src/contract/json-pointer.js";

// The examples of RFC 6901, section 5.
const document = { foo: ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8 };
it.each([
  ["", document],
  ["/foo", ["bar", "baz"]],
  ["/foo/0", "bar"],
  ["/", 0],
  ["/a~1b", 1],
  ["/m~0n", 8],
  ["#/a~1b", 1],
  ["/foo/7", undefined],
  ["/constructor", undefined],
])("valueAt(%j) returns %j", (pointer, want) => {
  expect(valueAt(document, pointer)).toEqual(want);
});

it("splits a pointer into keys", () => {
  expect(pointerKeys("#/paths/~1users~1me/delete")).toEqual(["paths", "/users/me", "delete"]);
});
