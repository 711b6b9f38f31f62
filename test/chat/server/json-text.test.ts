import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText, serialized } from "../../../src/chat/server/reusable-results.js";
import { propertyRuns, propertySeed } from "../../support/property-seed.js";

/** The text, and the number of yields. */
function read(body: object): { text: string; turns: number } {
  const work = jsonText(body);
  for (let turns = 0; ; turns++) {
    const { done, value } = work.next();
    if (done) return { text: value, turns };
  }
}

describe("jsonText", () => {
  it("returns the text of JSON.stringify", () => {
    const item = fc.oneof(
      fc.jsonValue(),
      fc.constant(undefined),
      fc.constant(() => 1),
      fc.date({ noInvalidDate: true }),
    );
    const list = fc.array(item, { maxLength: 120, size: "max" });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(item, list)), (body) => {
        expect(read(body).text).toBe(JSON.stringify(body));
      }),
      { seed: propertySeed, numRuns: propertyRuns(100) },
    );
  });

  it("contains the text of serialized fields as it is", () => {
    const messages = serialized<number[]>("[1, 2]");
    expect(read({ result: "success", messages }).text).toBe('{"result":"success","messages":[1, 2]}');
    expect(JSON.stringify({ messages })).toBe('{"messages":[1,2]}');
  });

  it("yields in long lists", () => {
    const messages = Array.from({ length: 1000 }, (_, id) => ({ id, content: "x".repeat(1000) }));
    const { text, turns } = read({ result: "success", messages, last: true });
    expect(text).toBe(JSON.stringify({ result: "success", messages, last: true }));
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
