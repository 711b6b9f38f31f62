import type { Check } from "./check.js";
import { fnv1a } from "./fnv1a.js";

/** One of several parts of a run, such as the first of four. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** Which checks are run. */
export interface SelectionOptions {
  /** The beginnings of ids of checks, rules or operations; `*` stands for anything. Left out: all. */
  readonly only?: readonly string[];
  /** Left out: all. */
  readonly shard?: Shard;
}

/** What is known of a check before it runs. */
export type CheckToRun = Pick<Check, "id" | "operation" | "rules">;

/** Makes what tells whether a check is to be run. */
export function createSelection({ only = [], shard }: SelectionOptions): (check: CheckToRun) => boolean {
  const begins = only.map(toPattern);
  return ({ id, operation, rules }) => {
    // The same everywhere, so that the parts of a run do not overlap.
    if (shard !== undefined && fnv1a(id) % shard.of !== shard.index - 1) return false;
    return begins.length === 0 || [id, operation, ...rules].some((name) => begins.some((pattern) => pattern(name)));
  };
}

/** The beginning of a name, in which `*` stands for anything. Walks through the name once, so it never takes long. */
function toPattern(text: string): (name: string) => boolean {
  const [first = "", ...rest] = text.split("*");
  return (name) => {
    if (!name.startsWith(first)) return false;
    let position = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, position);
      if (found === -1) return false;
      position = found + part.length;
    }
    return true;
  };
}
