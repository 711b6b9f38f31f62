/** The filters of the map. An empty text matches everything. */
export interface FaultFilter {
  readonly text: string;
  readonly family: string;
  /** A tool that reported the fault. */
  readonly caughtBy: string;
  /** A tool that ran on the fault and did not report it. */
  readonly missedBy: string;
}

/** A row of the map: its text, the tools that reported the fault, and those that did not. */
export interface FilteredRow {
  readonly text: string;
  readonly family: string;
  readonly reported: readonly string[];
  readonly silent: readonly string[];
}

/** Whether a row matches. Each word of the text must occur in it. */
export function matchesFilter({ text, family, reported, silent }: FilteredRow, filter: FaultFilter): boolean {
  const words = filter.text.toLowerCase().split(/\s+/);
  const lower = text.toLowerCase();
  return (
    words.every((word) => lower.includes(word)) &&
    (filter.family === "" || family === filter.family) &&
    (filter.caughtBy === "" || reported.includes(filter.caughtBy)) &&
    (filter.missedBy === "" || silent.includes(filter.missedBy))
  );
}

/** Whether a filter excludes anything. */
export function isActive({ text, family, caughtBy, missedBy }: FaultFilter): boolean {
  return [text.trim(), family, caughtBy, missedBy].some((part) => part !== "");
}
