/** The feature levels from `from` up to, but not including, `until`. */
export interface LevelRange {
  readonly from: number;
  /** Undefined if the range has no end. */
  readonly until?: number;
}

/** Whether a level is in one of the ranges. */
export function includesLevel(ranges: readonly LevelRange[], level: number): boolean {
  return ranges.some(({ from, until }) => from <= level && (until === undefined || level < until));
}

/** Whether ranges include all levels. */
export function isEveryLevel([first]: readonly LevelRange[]): boolean {
  return first?.from === 0 && first.until === undefined;
}

/** Formats ranges for an attribute, such as `0:150 229:`. */
export function formatRanges(ranges: readonly LevelRange[]): string {
  return ranges.map(({ from, until }) => `${from}:${until ?? ""}`).join(" ");
}

/** Reads what `formatRanges` writes. */
export function parseRanges(text: string): LevelRange[] {
  return text.split(" ").map((range) => {
    const [from = "", until = ""] = range.split(":");
    return until === "" ? { from: Number(from) } : { from: Number(from), until: Number(until) };
  });
}

/**
 * The ranges of levels that pass a test. `levels` are the levels with changes, in ascending order from 0; any other level equals the
 * closest one below it.
 */
export function rangesWhere(levels: readonly number[], test: (level: number) => boolean): LevelRange[] {
  const ranges: LevelRange[] = [];
  let from: number | undefined;
  for (const level of levels) {
    if (test(level)) from ??= level;
    else if (from !== undefined) {
      ranges.push({ from, until: level });
      from = undefined;
    }
  }
  return from === undefined ? ranges : [...ranges, { from }];
}
