import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64 } from "../../../../../reference/daemon/import/schemes/link-text.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";
import { base64Spellings, encodeBase64 } from "./encode-base64.js";

describe("decodeBase64", () => {
  it.each([
    ["YQ==", "a"],
    ["YQ", "a"],
    ["YWI=", "ab"],
    ["YWI", "ab"],
    ["YWJj", "abc"],
    ["Pz8/", "???"],
    ["Pz8_", "???"],
    ["6aaZ5riv", "香港"],
    ["fn5+", "~~~"],
    ["fn5-", "~~~"],
  ])("decodes %j to %j", (given, want) => {
    expect(decodeBase64(given)).toBe(want);
  });

  it.each([
    ["nothing", ""],
    ["padding alone", "="],
    ["one character", "Y"],
    ["five characters", "YWJjZ"],
    ["too much padding", "YWI=="],
    ["too little padding", "YQ="],
    ["padding after whole groups", "YWJj="],
    ["padding inside", "YQ==YQ=="],
    ["a foreign character", "YW%j"],
    ["a line break", "YWJj\nYWJj"],
    ["a line break at the end", "YWJj\n"],
    ["a space", "YW Jj"],
    ["a colon", "YW:j"],
    ["bytes that are not UTF-8", "/w=="],
    ["half a character", "6aY="],
  ])("refuses %s", (_, given) => {
    expect(decodeBase64(given)).toBeUndefined();
  });

  it("decodes every variant", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1 });
    const spelling = fc.constantFrom(...base64Spellings);
    fc.assert(
      fc.property(text, spelling, (text, spelling) => {
        expect(decodeBase64(encodeBase64(text, spelling))).toBe(text);
      }),
      { seed: propertySeed, numRuns: propertyRuns(500) },
    );
  });
});
