import { describe, expect, it } from "vitest";
import { readPattern } from "../../src/schema/pattern.js";

function judge(source: string, text: string): boolean | string {
  const pattern = readPattern(source);
  return "unreadable" in pattern ? pattern.unreadable : pattern.test(text);
}

describe("the pattern of a schema", () => {
  it.each<[string, string, boolean]>([
    ["^[\\w-.]+\\_$", "a-._", true],
    ["^[\\p{L}\\-\\ ]+$", "é -", true],
    ["^{a}$", "{a}", true],
    ["^\\/api\\/[^/]+$", "/api/x", true],
    ["^.$", "𝔵", true],
    ["^[a-\\d]$", "-", true],
    ["\\\\Ab", "\\Ab", true],
  ])("%s, which Unicode mode may refuse, tests %s", (source, text, expected) => {
    expect(judge(source, text)).toBe(expected);
    expect(readPattern(source)).toHaveProperty("remark", undefined);
  });

  it.each<[string, string, boolean]>([
    ["(?i)^a$", "A", true],
    ["^(?i)a$", "A", true],
    ["/^[a-z]+$/i", "ABC", true],
    ["\\Aab\\z", "ab", true],
    ["\\Aab\\z", "xab", false],
    ["\\Aab\\Z", "ab\n", true],
    ["(?P<y>\\d+)-(?P=y)", "12-12", true],
    ["^[[:alpha:]_]+$", "ab_", true],
    ["^[[:alpha:]_]+$", "ab1", false],
    ["^a{,3}$", "aaaa", false],
  ])("%s of another dialect tests %s, and says so", (source, text, expected) => {
    expect(judge(source, text)).toBe(expected);
    expect(readPattern(source)).toHaveProperty("remark");
  });

  it.each([
    ["^a++$", "Nothing to repeat"],
    ["(unclosed", "Unterminated group"],
    ["[", "Unterminated character class"],
    ["^\\h$", "Invalid escape"],
  ])("%s cannot be read: %s", (source, reason) => {
    expect(judge(source, "a")).toBe(reason);
  });

  it.each<[string, string, boolean]>([
    ["^(a+)+$", `${"a".repeat(50_000)}b`, false],
    ["^(a|a)*$", `${"a".repeat(50_000)}b`, false],
    ["^(a?){30}a{30}$", "a".repeat(29), false],
    ["^\\s*\\S+\\s+x$", " ".repeat(50_000), false],
    ["\\d+x", "1".repeat(1_000_000), false],
    ["x{1000000000}", "x", false],
    ["^([a-z0-9]+(-[a-z0-9]+)*)$", "a-b-c", true],
    // RE2 has no lookahead, so nothing is found out within the time limit.
    ["^(?=(a+)+$)b", `${"a".repeat(50_000)}b`, true],
  ])("%s takes no exponential time", (source, text, expected) => {
    expect(judge(source, text)).toBe(expected);
  });
});
