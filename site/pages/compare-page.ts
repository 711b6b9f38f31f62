/** The Markdown of the page that compares two levels. What it compares is in `levels.json`. */
export function writeComparePage(): string {
  return `---
title: Compare levels
---

# Compare levels

What a server of one feature level has otherwise than a server of another. Without a script, see [what each level changes](guides/feature-levels.md).

<CompareLevels />
`;
}
