import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { breakLine, cutToWidth, textWidth, wrapText } from "../../src/text/text-width.js";
import { propertyRuns, propertySeed } from "../support/property-seed.js";

describe("textWidth", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["é", 1],
    ["e\u0301", 1],
    ["日本", 4],
    ["한", 2],
    ["👍", 2],
    ["👩‍👩‍👧", 2],
    ["…", 1],
  ])("returns for %j the width %i", (text, want) => {
    expect(textWidth(text)).toBe(want);
  });
});

describe("cutToWidth", () => {
  it.each([
    ["abcdef", 6, "abcdef"],
    ["abcdef", 5, "abcd…"],
    ["日本語", 5, "日本…"],
    ["日本語", 4, "日…"],
    ["abc", 1, "…"],
    ["abc", 0, ""],
    ["abc", -3, ""],
    ["", 0, ""],
  ])("cuts %j to %i columns", (text, columns, want) => {
    expect(cutToWidth(text, columns)).toBe(want);
  });

  it("never exceeds the columns", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 0, max: 20 }), (text, columns) => {
        expect(textWidth(cutToWidth(text, columns))).toBeLessThanOrEqual(columns);
      }),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });
});

describe("breakLine", () => {
  it.each([
    ["abcdef", 4, 9, ["abcd", "ef"], true],
    ["abcdef", 3, 2, ["abc", "def"], true],
    ["abcdefg", 3, 2, ["abc", "def"], false],
    ["日本語", 3, 9, ["日", "本", "語"], true],
    ["日本", 1, 9, ["日", "本"], true],
    ["", 5, 9, [""], true],
  ])("breaks %j at %i columns into at most %i pieces", (line, columns, most, pieces, isAll) => {
    expect(breakLine(line, columns, most)).toEqual({ pieces, isAll });
  });

  it("keeps every character, and no piece exceeds the columns", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 20 }), (line, columns) => {
        const { pieces, isAll } = breakLine(line, columns, 1000);
        expect([pieces.join(""), isAll]).toEqual([line, true]);
        for (const piece of pieces) expect(textWidth(piece)).toBeLessThanOrEqual(columns);
      }),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });
});

describe("wrapText", () => {
  it.each([
    ["one two three", 7, ["one two", "three"]],
    ["one two three", 100, ["one two three"]],
    ["a verylongword b", 5, ["a", "verylongword", "b"]],
    ["a\n\nb", 5, ["a", "", "b"]],
    ["日本 語 x", 5, ["日本", "語 x"]],
    ["", 5, [""]],
    ["  one two\nx", 7, ["  one", "  two", "x"]],
  ])("wraps %j at %i columns", (text, columns, want) => {
    expect(wrapText(text, columns)).toEqual(want);
  });

  it("keeps every word, and no line exceeds both its longest word and the columns", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme-ascii" })),
        fc.integer({ min: 1, max: 40 }),
        (words, columns) => {
          const text = words.join(" ");
          const lines = wrapText(text, columns);
          expect(lines.join(" ").split(/\s+/).filter(Boolean)).toEqual(text.split(/\s+/).filter(Boolean));
          for (const line of lines) if (line.trim().includes(" ")) expect(textWidth(line)).toBeLessThanOrEqual(columns);
        },
      ),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });
});
