import { describe, expect, it } from "vitest";
import { replaceRanges } from "../../src/secrets/text-range.js";

describe("replaceRanges", () => {
  it.each([
    ["no range", [], "abcdef"],
    ["an empty range", [[1, 1]], "abcdef"],
    [
      "ranges in any order",
      [
        [4, 5],
        [1, 2],
      ],
      "a*cd*f",
    ],
    [
      "ranges that overlap",
      [
        [1, 3],
        [2, 4],
      ],
      "a*ef",
    ],
    [
      "ranges that touch",
      [
        [1, 3],
        [3, 4],
      ],
      "a*ef",
    ],
    [
      "a range within another",
      [
        [0, 5],
        [1, 2],
      ],
      "*f",
    ],
    ["the whole text", [[0, 6]], "*"],
  ])("replaces %s", (_, ranges, want) => {
    expect(
      replaceRanges(
        "abcdef",
        ranges.map(([start = 0, end = 0]) => ({ start, end })),
        "*",
      ),
    ).toBe(want);
  });
});
