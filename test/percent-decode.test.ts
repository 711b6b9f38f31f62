import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  percentDecode,
  percentDecodeBytes,
  percentDecodeStrictly,
  percentEncodedCharacterAt,
} from "../src/percent-decode.js";

/** Malformed escapes, and escapes of bytes that are not UTF-8: overlong, surrogates, beyond U+10FFFF, truncated. */
const malformed = ["%", "%4", "%4g", "%+1", "% 1", "%80", "%c0%af", "%e2%82", "%ed%a0%80", "%f4%90%80%80", "%ff"];

describe("percentDecode", () => {
  it.each([
    ["a%20b%2Fc", "a b/c"],
    ["%C3%BC%e2%82%ac%F0%9F%98%80", "ü€😀"],
    ["1+1", "1+1"],
    ["%2541", "%41"],
    ["%20%zz%c3%bc", " %zzü"],
    ["", ""],
  ])("decodes %j to %j", (text, decoded) => {
    expect(percentDecode(text)).toBe(decoded);
  });

  it.each(malformed)("does not change %j", (text) => {
    expect(percentDecode(text)).toBe(text);
  });

  it("restores every text that encodeURIComponent encodes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(percentDecode(encodeURIComponent(text))).toBe(text);
        expect(percentDecodeStrictly(encodeURIComponent(text))).toBe(text);
        expect(percentDecodeBytes(encodeURIComponent(text)).toString("utf8")).toBe(text);
      }),
    );
  });
});

describe("percentDecodeStrictly", () => {
  it("decodes well-formed escapes", () => {
    expect(percentDecodeStrictly("a%2Fb%C3%BC")).toBe("a/bü");
  });

  it.each(malformed)("rejects %j", (text) => {
    expect(percentDecodeStrictly(`a${text}`)).toBeUndefined();
  });
});

describe("percentEncodedCharacterAt", () => {
  it.each([
    ["a%C3%BCb", 1, { value: "ü", length: 6 }],
    ["a%41", 1, { value: "A", length: 3 }],
    ["%EF%BF%BD", 0, { value: "\ufffd", length: 9 }],
    ["a%41", 0, undefined],
    ["%41", 3, undefined],
    ["%c3%41", 0, undefined],
  ])("reads the character of %j at %i", (text, index, character) => {
    expect(percentEncodedCharacterAt(text, index)).toEqual(character);
  });
});

describe("percentDecodeBytes", () => {
  it.each([
    ["%ff%41", [0xff, 0x41]],
    ["ü%zz%4", [0xc3, 0xbc, 0x25, 0x7a, 0x7a, 0x25, 0x34]],
    ["%%41", [0x25, 0x41]],
  ])("decodes %j", (text, bytes) => {
    expect([...percentDecodeBytes(text)]).toEqual(bytes);
  });

  it("leaves its input unchanged", () => {
    const input = Buffer.from("%41%42");
    expect(percentDecodeBytes(input).toString()).toBe("AB");
    expect(input.toString()).toBe("%41%42");
  });
});
