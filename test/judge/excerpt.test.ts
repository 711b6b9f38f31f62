import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt } from "../../src/judge/excerpt.js";
import { createMask } from "../../src/judge/mask.js";
import { propertyRuns, propertySeed } from "../support/property-seed.js";

const key = "gjA04ZYcqXKalvYMA8OeXSfzUOLrtbZv";
const mask = createMask([key]);

/** Every six-character piece of a key: long enough not to occur elsewhere by chance. */
function piecesOf(secret: string): string[] {
  return Array.from({ length: secret.length - 5 }, (_, start) => secret.slice(start, start + 6));
}

/** Spellings of a key, and the secret part of each. */
const spellings = [
  { text: key, secret: key },
  // The first 20 characters encode the address.
  { text: btoa(`me@org.example:${key}`), secret: btoa(`me@org.example:${key}`).slice(20) },
];

describe("excerpt", () => {
  it("keeps short texts, and cuts long ones", () => {
    expect(excerpt("abc", 3, mask)).toBe("abc");
    expect(excerpt("abcd", 3, mask)).toBe("abc…");
    expect(excerpt("a".repeat(1_000_000), 300, mask)).toBe(`${"a".repeat(300)}…`);
  });

  it("shows no part of a key, wherever it cuts", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 320 }),
        fc.constantFrom(...spellings),
        fc.integer({ min: 0, max: 400 }),
        (before, { text, secret }, after) => {
          const shown = excerpt(`${". ".repeat(160).slice(0, before)} ${text} ${". ".repeat(after)}`, 300, mask);
          expect(shown.length).toBeLessThanOrEqual(301);
          expect(piecesOf(secret).filter((piece) => shown.includes(piece))).toEqual([]);
        },
      ),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });

  it("shows no part of a key at the end of the searched part", () => {
    for (let offset = 0; offset < 100; offset++) {
      const text = "-".repeat(offset) + `${key}${"-".repeat(68)}`.repeat(300);
      const shown = excerpt(text, 30_000, mask);
      expect(shown.length).toBeGreaterThan(9_000);
      expect(piecesOf(key).filter((piece) => shown.includes(piece))).toEqual([]);
    }
  });
});
