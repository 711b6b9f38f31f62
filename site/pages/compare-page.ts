/** The Markdown of the page that compares two levels. Its data is in `levels.json`. */
export function writeComparePage(): string {
  return `---
title: Compare levels
---

# Compare levels

The differences between servers of two feature levels. This page needs a script; [what each level changes](guides/feature-levels.md) does not.

<CompareLevels />
`;
}
