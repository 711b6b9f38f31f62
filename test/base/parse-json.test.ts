import { describe, expect, it } from "vitest";
import { isNestedDeeply, maxJsonDepth, parseShallowJson } from "../../src/base/parse-json.js";

const nested = (depth: number, inner = "") => `${"[".repeat(depth)}${inner}${"]".repeat(depth)}`;

describe("isNestedDeeply", () => {
  it.each<[name: string, text: string, isDeep: boolean]>([
    ["lists within the bound", nested(maxJsonDepth), false],
    ["lists beyond it", nested(maxJsonDepth + 1), true],
    ["objects and lists beyond it", `${'{"a":['.repeat(300)}1`, true],
    ["many lists beside each other", `[${"[],".repeat(10_000)}1]`, false],
    ["brackets in texts", JSON.stringify(["[".repeat(1_000), `"${"{".repeat(1_000)}\\`]), false],
    ["texts other than JSON", `line ${"[".repeat(1_000)}`, false],
  ])("tells %s", (_, text, isDeep) => {
    expect(isNestedDeeply(text)).toBe(isDeep);
  });

  it("ends no process by a body of 4 MiB that only nests", () => {
    expect(parseShallowJson(nested(2 * 1024 * 1024))).toBeUndefined();
  });
});
