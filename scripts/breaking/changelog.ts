/** One `## [version]` section of a changelog in the form of keepachangelog.com. */
export interface ChangelogSection {
  /** A version, or `Unreleased`. */
  readonly name: string;
  readonly text: string;
}

/** Splits a changelog into its sections, newest first. */
export function changelogSections(markdown: string): ChangelogSection[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      return { name: /^\[(.+?)\]/.exec(heading)?.[1] ?? heading.trim(), text: lines.join("\n").trim() };
    });
}
