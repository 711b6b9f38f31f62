import { type Changes, greater, type Impact } from "../../src/breaking/impact.js";
import { isOlder, neededVersion } from "../../src/breaking/version.js";
import { changelogSections } from "./changelog.js";

/** The version that the changes need, and problems with the version and changelog. */
export interface Verdict {
  readonly impact: Impact;
  readonly needed: string;
  readonly problems: readonly string[];
}

/** Checks the version and changelog of the next release against the changes of both contracts. */
export function verdict(changes: readonly Changes[], baseVersion: string, version: string, changelog: string): Verdict {
  const impact = changes.reduce<Impact>((max, change) => greater(max, change.impact), "none");
  const needed = neededVersion(baseVersion, impact);
  if (impact === "none") return { impact, needed, problems: [] };
  const problems: string[] = [];
  if (isOlder(version, needed)) {
    problems.push(`The changes since ${baseVersion} need version ${needed} or higher; package.json says ${version}.`);
  }
  const sections = changelogSections(changelog);
  const entries = sections
    .filter(({ name }) => name === "Unreleased" || name === version)
    .map(({ text }) => text)
    .join("\n");
  if (!/^- /m.test(entries))
    problems.push("CHANGELOG.md has no entry under [Unreleased]: add one that names what changed.");
  for (const name of new Set(changes.flatMap(({ affected }) => affected))) {
    if (!entries.includes(name))
      problems.push(`CHANGELOG.md does not name ${name}, which changed, under [Unreleased].`);
  }
  return { impact, needed, problems };
}
