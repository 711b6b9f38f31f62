/** A piece of a text, from `start` up to, but not including, `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The ranges in order, those that overlap made one. Empty ones are dropped. */
export function merge(ranges: readonly TextRange[]): TextRange[] {
  const result: TextRange[] = [];
  for (const range of ranges.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || range.start >= last.end) result.push(range);
    else if (range.end > last.end) result[result.length - 1] = { start: last.start, end: range.end };
  }
  return result;
}
