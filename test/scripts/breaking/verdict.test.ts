import { describe, expect, it } from "vitest";
import { verdict } from "../../../scripts/breaking/verdict.js";
import { isOlder, neededVersion } from "../../../src/breaking/version.js";

describe("neededVersion", () => {
  it.each([
    ["1.2.3", "none", "1.2.3"],
    ["1.2.3", "patch", "1.2.4"],
    ["1.2.3", "minor", "1.3.0"],
    ["1.2.3", "major", "2.0.0"],
    ["0.2.3", "patch", "0.2.4"],
    ["0.2.3", "minor", "0.2.4"],
    ["0.2.3", "major", "0.3.0"],
  ] as const)("returns for %s with a %s change %s", (base, impact, want) => {
    expect(neededVersion(base, impact)).toBe(want);
  });
});

describe("isOlder", () => {
  it.each([
    ["1.2.3", "1.2.4", true],
    ["1.2.10", "1.2.9", false],
    ["1.2.3", "1.2.3", false],
    ["2.0.0", "1.9.9", false],
  ])("compares %s with %s: %s", (a, b, want) => {
    expect(isOlder(a, b)).toBe(want);
  });

  it("rejects text in another format", () => {
    expect(() => isOlder("1.2", "1.2.3")).toThrow('"1.2" is not a version in the form 1.2.3');
  });
});

describe("verdict", () => {
  const chat = { impact: "major", affected: ["editMessage"], reasons: [] } as const;
  const daemon = { impact: "patch", affected: [], reasons: [] } as const;
  const nothing = { impact: "none", affected: [], reasons: [] } as const;
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\n### Changed\n\n- `editMessage` takes no topic.\n\n## [1.0.0] - 2026-01-01\n\n- First.\n";

  it.each([
    ["accepts a sufficient bump", [chat, daemon], "2.0.0", changelog, []],
    [
      "reports a bump that is too small",
      [chat, daemon],
      "1.1.0",
      changelog,
      ["The changes since 1.0.0 need version 2.0.0 or higher; package.json says 1.1.0."],
    ],
    [
      "reports a changelog without an entry",
      [chat, daemon],
      "2.0.0",
      "## [1.0.0]\n\n- editMessage\n",
      [
        "CHANGELOG.md has no entry under [Unreleased]: add one that names what changed.",
        "CHANGELOG.md does not name editMessage, which changed, under [Unreleased].",
      ],
    ],
    ["accepts entries under the new version", [chat], "2.0.0", changelog.replace("Unreleased", "2.0.0"), []],
    ["requires nothing without changes", [nothing, nothing], "1.0.0", "", []],
  ])("%s", (_, changes, version, text, want) => {
    expect(verdict(changes, "1.0.0", version, text).problems).toEqual(want);
  });
});
