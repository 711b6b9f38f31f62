import { changelogSections } from "./changelog.js";
import { type Changes, greater, type Impact } from "./impact.js";
import { isOlder, neededVersion } from "./version.js";

/** What the changes need, and what is promised too little. */
export interface Verdict {
  readonly impact: Impact;
  readonly needed: string;
  readonly problems: readonly string[];
}

/** Judges the changes of both contracts together against the version and the changelog that are to be released. */
export function verdict(changes: readonly Changes[], baseVersion: string, version: string, changelog: string): Verdict {
  const impact = changes.reduce<Impact>((most, change) => greater(most, change.impact), "none");
  const needed = neededVersion(baseVersion, impact);
  if (impact === "none") return { impact, needed, problems: [] };
  const problems: string[] = [];
  if (isOlder(version, needed)) {
    problems.push(`The changes since ${baseVersion} need version ${needed} or higher; package.json says ${version}.`);
  }
  const sections = changelogSections(changelog);
  const told = sections
    .filter(({ name }) => name === "Unreleased" || name === version)
    .map(({ text }) => text)
    .join("\n");
  if (!/^- /m.test(told))
    problems.push("CHANGELOG.md says nothing under [Unreleased]: add an entry that names what changed.");
  for (const name of new Set(changes.flatMap(({ affected }) => affected))) {
    if (!told.includes(name)) problems.push(`CHANGELOG.md does not name ${name} under [Unreleased], and it changed.`);
  }
  return { impact, needed, problems };
}
