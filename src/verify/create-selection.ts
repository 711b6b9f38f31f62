import type { Check } from "./check.js";
import { CouldNotRunError } from "./could-not-run-error.js";
import { fnv1a } from "./fnv1a.js";
import { pluralize } from "./report/format-values.js";
import { nearestNames } from "./report/nearest-names.js";

/** One of several disjoint parts of a run, such as the first of four. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** Which checks run. */
export interface SelectionOptions {
  /** Prefixes of the ids of checks, rules or operations; `*` matches any text. Defaults to all checks. */
  readonly only?: readonly string[];
  /** Defaults to all checks. */
  readonly shard?: Shard;
}

/** A check before it runs. */
export type CheckToRun = Pick<Check, "id" | "operation" | "rules" | "reliesOn">;

/** Creates a predicate that returns whether a check is selected. */
export function createSelection({ only = [], shard }: SelectionOptions): (check: CheckToRun) => boolean {
  const patterns = only.map(toPattern);
  return ({ id, operation, rules }) => {
    // The hash is the same on every machine, so that the shards do not overlap.
    if (shard !== undefined && fnv1a(id) % shard.of !== shard.index - 1) return false;
    return patterns.length === 0 || [id, operation, ...rules].some((name) => patterns.some((pattern) => pattern(name)));
  };
}

/** Matches the prefix of a name; `*` matches any text. Takes linear time. */
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

/**
 * Throws a `CouldNotRunError` if a selection matches nothing: a name in `only`, for which it suggests similar names, or the shard.
 * `checks` are all checks of the contract.
 */
export function requireSelection({ only = [], shard }: SelectionOptions, checks: readonly CheckToRun[]): void {
  if (only.some((name) => name.trim() === "")) throw new CouldNotRunError("A name in the selection of checks is empty");
  const unknown = only.filter((name) => !checks.some(createSelection({ only: [name] })));
  if (unknown.length > 0) throw new CouldNotRunError(unknown.map((name) => describeUnknown(name, checks)).join("\n"));
  const chosen = checks.filter(createSelection({ only }));
  if (shard === undefined || chosen.some(createSelection({ shard }))) return;
  throw new CouldNotRunError(
    `Part ${shard.index} of ${shard.of} has no check, because there ${chosen.length === 1 ? "is" : "are"} only ${pluralize(chosen.length, "check")}. Make fewer parts`,
  );
}

function describeUnknown(name: string, checks: readonly CheckToRun[]): string {
  const names = [...new Set(checks.flatMap(({ id, operation, rules }) => [id, operation, ...rules]))];
  const similar = nearestNames(name, names).map((other) => `\`${other}\``);
  const sentence = `No check, rule or operation has a name that begins with \`${name}\``;
  return similar.length === 0 ? sentence : `${sentence}. Similar: ${similar.join(", ")}`;
}
