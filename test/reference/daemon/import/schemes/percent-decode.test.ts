import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { percentDecode } from "../../../../../reference/daemon/import/schemes/link-text.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";

describe("percentDecode", () => {
  it.each([
    ["", ""],
    ["plain+text", "plain+text"],
    ["a%20b", "a b"],
    ["%E9%A6%99%E6%B8%AF", "香港"],
    ["%e9%a6%99", "香"],
    ["%25%32%30", "%20"],
    ["%2520", "%20"],
    ["%ZZ", "%ZZ"],
    ["%", "%"],
    ["%4", "%4"],
    ["%41%", "A%"],
    ["100%, %E9%A6%99", "100%, 香"],
    ["%FF%41 %41", "%FFA A"],
    ["%E9%A6%41", "%E9%A6A"],
    ["%C0%80", "%C0%80"],
    ["%ED%A0%80", "%ED%A0%80"],
    ["%F4%90%80%80", "%F4%90%80%80"],
    ["%E9%A6", "%E9%A6"],
    ["%00", "\0"],
  ])("%j gives %j", (given, want) => {
    expect(percentDecode(given)).toBe(want);
  });

  it("reverses encodeURIComponent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(percentDecode(encodeURIComponent(text))).toBe(text);
      }),
      { seed: propertySeed, numRuns: propertyRuns(500) },
    );
  });

  it("decodes whatever decodeURIComponent does, and throws never", () => {
    const piece = fc.oneof(
      fc.constantFrom("%", "a", "+", "\ud800", "é"),
      fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, "0")}`),
      fc.string({ unit: "grapheme", maxLength: 2 }).map(encodeURIComponent),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const text = pieces.join("");
        let usual: string | undefined;
        try {
          usual = decodeURIComponent(text);
        } catch {
          usual = undefined;
        }
        const given = percentDecode(text);
        if (usual !== undefined) expect(given).toBe(usual);
      }),
      { seed: propertySeed, numRuns: propertyRuns(2000) },
    );
  });
});
