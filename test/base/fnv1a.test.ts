import { describe, expect, it } from "vitest";
import { fnv1a } from "../../src/base/fnv1a.js";

// Source: the test vectors of the reference implementation, http://www.isthe.com/chongo/src/fnv/test_fnv.c
describe("fnv1a", () => {
  it.each([
    ["", 0x811c9dc5],
    ["a", 0xe40c292c],
    ["foobar", 0xbf9cf968],
  ])("hashes %j", (text, want) => expect(fnv1a(text)).toBe(want));

  it("depends on the seed", () => expect(fnv1a("foobar", 1)).not.toBe(fnv1a("foobar")));
});
