/** A range of a text, from `start` up to, but not including, `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Replaces each range of a text; ranges that overlap or touch are replaced once. Ignores empty ranges. */
export function replaceRanges(text: string, ranges: readonly TextRange[], replacement: string): string {
  let result = "";
  let covered = -1;
  for (const { start, end } of ranges.filter((range) => range.start < range.end).sort((a, b) => a.start - b.start)) {
    if (start > covered) result += text.slice(Math.max(covered, 0), start) + replacement;
    covered = Math.max(covered, end);
  }
  return result + text.slice(Math.max(covered, 0));
}
