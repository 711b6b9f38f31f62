import fc from "fast-check";
import { expect, it } from "vitest";
import { percentDecodeBytes } from "../../../../../reference/daemon/import/fetch/percent-decode-bytes.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";

it.each([
  ["", ""],
  ["plain", "plain"],
  ["%41%62", "Ab"],
  ["a%20b%2fc", "a b/c"],
  ["s%C3%BC%C3%9F", "süß"],
  ["süß%21", "süß!"],
  ["100%", "100%"],
  ["%4", "%4"],
  ["%ZZ%41", "%ZZA"],
  ["%%41", "%A"],
  ["%2541", "%41"],
  ["%+1% 1", "%+1% 1"],
])("decodes %s", (text, want) => {
  expect(percentDecodeBytes(text).toString("utf8")).toBe(want);
});

it("decodes bytes that are no text", () => {
  expect([...percentDecodeBytes("%ff%00")]).toEqual([0xff, 0]);
});

it("undoes encodeURIComponent", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(percentDecodeBytes(encodeURIComponent(text)).toString("utf8")).toBe(text);
    }),
    { seed: propertySeed, numRuns: propertyRuns(200) },
  );
});
