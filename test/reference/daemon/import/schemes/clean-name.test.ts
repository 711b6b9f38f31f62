import { describe, expect, it } from "vitest";
import { cleanName } from "../../../../../reference/daemon/import/schemes/link-text.js";

describe("cleanName", () => {
  it.each([
    ["", ""],
    ["  Frankfurt 1\t", "Frankfurt 1"],
    ["香港 01", "香港 01"],
    ["🇩🇪 Berlin", "🇩🇪 Berlin"],
    ["خانه\u200cها", "خانه\u200cها"],
    ["a\0b\u001b[31mc\u007fd\u0085e\r\nf", "ab[31mcdef"],
    ["a\u202eb\u2066c\u2069d", "abcd"],
    ["a\u2028b\u2029c", "abc"],
    ["a\ud800b\udc00c", "abc"],
    ["\u0000 \u202e", ""],
    ["x".repeat(256), "x".repeat(256)],
    ["x".repeat(257), "x".repeat(256)],
    [`${"x".repeat(255)}🇩🇪`, "x".repeat(255)],
    [`${"x".repeat(254)}🇩🇪`, `${"x".repeat(254)}🇩`],
    [`${"x".repeat(250)}${" ".repeat(20)}y`, "x".repeat(250)],
  ])("turns %j into %j", (given, want) => {
    expect(cleanName(given)).toBe(want);
  });
});
