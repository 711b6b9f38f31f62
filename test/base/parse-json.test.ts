import { describe, expect, it } from "vitest";
import { jsonExcess, maxJsonDepth, maxJsonValues, parseBoundedJson } from "../../src/base/parse-json.js";

const nested = (depth: number, inner = "") => `${"[".repeat(depth)}${inner}${"]".repeat(depth)}`;
const tooDeep = /nested too deeply/;
const tooMany = /more than 200,000 values/;

describe("jsonExcess", () => {
  it.each<[name: string, text: string, excess: RegExp | undefined]>([
    ["lists within the bound", nested(maxJsonDepth), undefined],
    ["lists beyond it", nested(maxJsonDepth + 1), tooDeep],
    ["objects and lists beyond it", `${'{"a":['.repeat(300)}1`, tooDeep],
    ["many lists beside each other", `[${"[],".repeat(10_000)}1]`, undefined],
    ["brackets in texts", JSON.stringify(["[".repeat(1_000), `"${"{".repeat(1_000)}\\`]), undefined],
    ["commas in texts", JSON.stringify([",".repeat(2 * maxJsonValues)]), undefined],
    ["texts other than JSON", `line ${"[".repeat(1_000)}`, undefined],
    ["as many values as may be", `[${"1,".repeat(maxJsonValues - 2)}1]`, undefined],
    ["one more", `[${"1,".repeat(maxJsonValues - 1)}1]`, tooMany],
    ["too many keys", `{${'"":1,'.repeat(maxJsonValues)}`, tooMany],
    ["too many empty objects", `[${"{},".repeat(maxJsonValues / 2)}`, tooMany],
  ])("tells %s", (_, text, excess) => {
    const found = jsonExcess(text);
    if (excess === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(excess);
  });

  it("ends no process by a body of 4 MiB that only nests", () => {
    expect(parseBoundedJson(nested(2 * 1024 * 1024))).toBeUndefined();
  });
});
