/**
 * The text of a version in a changelog, without its heading. Throws if the changelog has no such version, or nothing about it.
 * Source: Keep a Changelog 1.1.0.
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((one) => one.startsWith(`[${version}]`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section \`## [${version}]\``);
  const notes = section.slice(section.indexOf("\n")).trim();
  if (notes === "") throw new Error(`CHANGELOG.md says nothing about ${version}`);
  return `${notes}\n`;
}
