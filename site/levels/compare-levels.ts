import { includesLevel, type LevelRange } from "./level-ranges.js";

/** A part of the contract, with the levels at which it has each of its forms. */
export interface LevelItem {
  readonly kind: "operation" | "parameter" | "response field" | "error code" | "rule" | "rule for clients";
  readonly name: string;
  /** Its operation. Undefined if it applies to all operations. */
  readonly operation?: string;
  /** Its address, relative to the root of the site. */
  readonly href: string;
  /** The sentence of a rule. */
  readonly text?: string;
  readonly forms: readonly (readonly LevelRange[])[];
  readonly changes?: readonly { readonly level: number; readonly note: string }[];
  readonly deprecated?: number;
}

/** The kind of difference between two levels. */
export type LevelDifference = "added" | "changed" | "deprecated" | "removed";

/** An item that differs between two levels. */
export interface ComparedItem {
  readonly item: LevelItem;
  readonly difference: LevelDifference;
  /** The changes that the levels in between made. */
  readonly notes: readonly string[];
}

/** Lists the differences between the levels `from` and `to`, of which `from` must not be the higher one. */
export function compareLevels(items: readonly LevelItem[], from: number, to: number): ComparedItem[] {
  return items.flatMap((item) => {
    const difference = differenceOf(item, from, to);
    if (difference === undefined) return [];
    const notes = (item.changes ?? []).filter(({ level }) => from < level && level <= to);
    const shown = difference === "changed" || difference === "deprecated" ? notes : [];
    return [{ item, difference, notes: shown.map(({ level, note }) => `Level ${level}: ${note}`) }];
  });
}

function differenceOf({ forms, deprecated }: LevelItem, from: number, to: number): LevelDifference | undefined {
  const formAt = (level: number) => forms.findIndex((ranges) => includesLevel(ranges, level));
  const [before, after] = [formAt(from), formAt(to)];
  if (before === after) return undefined;
  if (before === -1) return "added";
  if (after === -1) return "removed";
  return deprecated !== undefined && from < deprecated && deprecated <= to ? "deprecated" : "changed";
}
