import { describe, expect, it } from "vitest";
import { verdict } from "../../../scripts/breaking/verdict.js";
import { isOlder, neededVersion } from "../../../scripts/breaking/version.js";

describe("neededVersion", () => {
  it.each([
    ["1.2.3", "none", "1.2.3"],
    ["1.2.3", "patch", "1.2.4"],
    ["1.2.3", "minor", "1.3.0"],
    ["1.2.3", "major", "2.0.0"],
    ["0.2.3", "patch", "0.2.4"],
    ["0.2.3", "minor", "0.2.4"],
    ["0.2.3", "major", "0.3.0"],
  ] as const)("of %s with a %s change is %s", (base, impact, want) => {
    expect(neededVersion(base, impact)).toBe(want);
  });
});

describe("isOlder", () => {
  it.each([
    ["1.2.3", "1.2.4", true],
    ["1.2.10", "1.2.9", false],
    ["1.2.3", "1.2.3", false],
    ["2.0.0", "1.9.9", false],
  ])("%s, %s: %s", (a, b, want) => {
    expect(isOlder(a, b)).toBe(want);
  });

  it("refuses what is no version", () => {
    expect(() => isOlder("1.2", "1.2.3")).toThrow('"1.2" is no version of the form 1.2.3');
  });
});

describe("verdict", () => {
  const chat = { impact: "major", affected: ["editMessage"], reasons: [] } as const;
  const daemon = { impact: "patch", affected: [], reasons: [] } as const;
  const nothing = { impact: "none", affected: [], reasons: [] } as const;
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\n### Changed\n\n- `editMessage` takes no topic.\n\n## [1.0.0] - 2026-01-01\n\n- First.\n";

  it.each([
    ["a bump that is enough", [chat, daemon], "2.0.0", changelog, []],
    [
      "a bump that is too small",
      [chat, daemon],
      "1.1.0",
      changelog,
      ["The changes since 1.0.0 need version 2.0.0 or higher; package.json says 1.1.0."],
    ],
    [
      "a changelog that says nothing",
      [chat, daemon],
      "2.0.0",
      "## [1.0.0]\n\n- editMessage\n",
      [
        "CHANGELOG.md says nothing under [Unreleased]: add an entry that names what changed.",
        "CHANGELOG.md does not name editMessage under [Unreleased], and it changed.",
      ],
    ],
    ["a changelog under the new version", [chat], "2.0.0", changelog.replace("Unreleased", "2.0.0"), []],
    ["nothing changed", [nothing, nothing], "1.0.0", "", []],
  ])("on %s", (_, changes, version, text, want) => {
    expect(verdict(changes, "1.0.0", version, text).problems).toEqual(want);
  });
});
