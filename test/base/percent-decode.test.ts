import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { percentDecode, percentDecodeBytes, percentDecodeStrictly } from "../../src/base/percent-decode.js";
import { anyCharacter } from "../support/any-character.js";
import { propertyRuns, propertySeed } from "../support/property-seed.js";

/** Malformed escapes, and escapes of bytes that are not UTF-8: overlong, surrogates, beyond U+10FFFF, truncated. */
const malformed = ["%", "%4", "%4g", "%+1", "% 1", "%80", "%c0%af", "%e2%82", "%ed%a0%80", "%f4%90%80%80", "%ff"];

describe("percentDecode", () => {
  it.each([
    ["a%20b%2Fc", "a b/c"],
    ["%C3%BC%e2%82%ac%F0%9F%98%80", "ü€😀"],
    ["1+1", "1+1"],
    ["%2541", "%41"],
    ["%20%zz%c3%bc", " %zzü"],
    ["100%, %E9%A6%99", "100%, 香"],
    ["%FF%41 %41", "%FFA A"],
    ["%E9%A6%41", "%E9%A6A"],
    ["%00", "\0"],
    ["", ""],
  ])("decodes %j to %j", (text, decoded) => {
    expect(percentDecode(text)).toBe(decoded);
  });

  it.each(malformed)("does not change %j", (text) => {
    expect(percentDecode(text)).toBe(text);
  });

  it("restores every text that encodeURIComponent encodes", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(percentDecode(encodeURIComponent(text))).toBe(text);
        expect(percentDecodeStrictly(encodeURIComponent(text))).toBe(text);
        expect(percentDecodeBytes(encodeURIComponent(text)).toString("utf8")).toBe(text);
      }),
    );
  });
});

describe("percentDecodeStrictly", () => {
  it("decodes and rejects the same texts as decodeURIComponent", () => {
    const piece = fc.oneof(
      fc.constantFrom("%", "a", "+", "\ud800", "é"),
      fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, "0")}`),
      fc.string({ unit: "grapheme", maxLength: 2 }).map(encodeURIComponent),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const text = pieces.join("");
        let want: string | undefined;
        try {
          want = decodeURIComponent(text);
        } catch {
          want = undefined;
        }
        expect(percentDecodeStrictly(text)).toBe(want);
        if (want !== undefined) expect(percentDecode(text)).toBe(want);
      }),
      { seed: propertySeed, numRuns: propertyRuns(2000) },
    );
  });

  it("decodes well-formed escapes", () => {
    expect(percentDecodeStrictly("a%2Fb%C3%BC")).toBe("a/bü");
  });

  it.each(malformed)("rejects %j", (text) => {
    expect(percentDecodeStrictly(`a${text}`)).toBeUndefined();
  });
});

describe("percentDecodeBytes", () => {
  it.each([
    ["%ff%41", [0xff, 0x41]],
    ["ü%zz%4", [0xc3, 0xbc, 0x25, 0x7a, 0x7a, 0x25, 0x34]],
    ["%%41", [0x25, 0x41]],
    ["%fF%@1", [0xff, 0x25, 0x40, 0x31]],
  ])("decodes %j", (text, bytes) => {
    expect([...percentDecodeBytes(text)]).toEqual(bytes);
  });

  it("leaves its input unchanged", () => {
    const input = Buffer.from("%41%42");
    expect(percentDecodeBytes(input).toString()).toBe("AB");
    expect(input.toString()).toBe("%41%42");
  });
});
