import { describe, expect, it } from "vitest";
import { releaseNotes } from "../../scripts/release/release-notes.js";

const changelog =
  "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- Two.\n\n## [0.1.0] - 2026-11-01\n\n- One.\n";

describe("releaseNotes", () => {
  it.each([
    ["0.2.0", "### Added\n\n- Two.\n"],
    ["0.1.0", "- One.\n"],
  ])("returns the section of %s", (version, want) => {
    expect(releaseNotes(changelog, version)).toBe(want);
  });

  it.each([
    ["0.3.0", "CHANGELOG.md has no section `## [0.3.0]`"],
    ["0.2", "CHANGELOG.md has no section `## [0.2]`"],
    ["Unreleased", "CHANGELOG.md says nothing about Unreleased"],
  ])("rejects %s", (version, want) => {
    expect(() => releaseNotes(changelog, version)).toThrow(want);
  });
});
