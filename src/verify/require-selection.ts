import { CouldNotRunError } from "./could-not-run-error.js";
import { type CheckToRun, createSelection, type SelectionOptions } from "./create-selection.js";
import { countOf } from "./report/count-of.js";
import { nearestNames } from "./report/nearest-names.js";

/**
 * Throws a `CouldNotRunError` when a selection leads to nothing: one of the names of `only`, for which it gives similar ones, or the
 * shard. `checks` are all that could be run.
 */
export function requireSelection({ only = [], shard }: SelectionOptions, checks: readonly CheckToRun[]): void {
  if (only.some((name) => name.trim() === "")) throw new CouldNotRunError("A name in the selection of checks is empty");
  const unknown = only.filter((name) => !checks.some(createSelection({ only: [name] })));
  if (unknown.length > 0) throw new CouldNotRunError(unknown.map((name) => describeUnknown(name, checks)).join("\n"));
  const chosen = checks.filter(createSelection({ only }));
  if (shard === undefined || chosen.some(createSelection({ shard }))) return;
  throw new CouldNotRunError(
    `Part ${shard.index} of ${shard.of} has no check, since there ${chosen.length === 1 ? "is" : "are"} only ${countOf(chosen.length, "check")}. Make fewer parts`,
  );
}

function describeUnknown(name: string, checks: readonly CheckToRun[]): string {
  const names = [...new Set(checks.flatMap(({ id, operation, rules }) => [id, operation, ...rules]))];
  const similar = nearestNames(name, names).map((other) => `\`${other}\``);
  const sentence = `No check, rule or operation has a name that begins with \`${name}\``;
  return similar.length === 0 ? sentence : `${sentence}. Similar: ${similar.join(", ")}`;
}
