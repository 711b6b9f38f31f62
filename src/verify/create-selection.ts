import { CouldNotRunError } from "../base/could-not-run-error.js";
import { fnv1a } from "../base/fnv1a.js";
import { nearestNames } from "../contract/nearest-names.js";
import type { CheckResult } from "../report/model/check-result.js";
import type { ReportedBeyond, ReportedShard } from "../report/model/json-report.js";
import { pluralize } from "../text/format-values.js";
import { groupBy } from "../text/group-by.js";
import { createNameMatcher, createPrefixMatcher } from "../text/name-pattern.js";

/** One of several disjoint parts of a run, such as the first of four. */
export interface Shard {
  /** Starts at 1. */
  readonly index: number;
  readonly of: number;
  /** The durations of checks in milliseconds, by id, to make parts that take equally long. All parts must use the same. */
  readonly timings?: ReadonlyMap<string, number>;
}

/** Which checks run. */
export interface SelectionOptions {
  /** Prefixes of the ids of checks, rules or operations; `*` matches any text. Defaults to all checks. */
  readonly only?: readonly string[];
  /**
   * Names of operations, such as `getMessages`, `DELETE /users/me/subscriptions` or `PreviewImport`; `*` matches any text. Only checks that
   * call nothing else are selected. Defaults to all.
   */
  readonly operations?: readonly string[];
  /** Ids of checks. Defaults to all. */
  readonly ids?: readonly string[];
  /** Defaults to all checks. */
  readonly shard?: Shard;
}

/** A check before it runs. */
export interface CheckToRun extends Pick<CheckResult, "id" | "operation" | "rules" | "reliesOn"> {
  /** The operations that it calls. Defaults to `operation`. */
  readonly calls?: readonly CalledOperation[];
}

/** An operation by its names. */
export interface CalledOperation {
  /** Such as `getMessages` or `ProxySubscriptions/PreviewImport`. */
  readonly id: string;
  /** Such as `GET /messages`. */
  readonly title?: string;
}

/** The selected checks of a run, out of all those of a contract. */
export interface Selected {
  /** As reports name them. */
  readonly reported: readonly CheckToRun[];
  readonly isSelected: (id: string) => boolean;
  /** The ids of all checks of the contract. */
  readonly existing: ReadonlySet<string>;
  /** The exclusion that a check falls under, by its id. Undefined without any. */
  readonly exclusionOf: (id: string) => string | undefined;
  readonly shard?: ReportedShard;
  readonly beyond?: ReportedBeyond;
}

/** Selects among all checks of a contract. Throws a `CouldNotRunError` if the selection or an exclusion matches nothing. */
export function selectAmong(
  all: readonly CheckToRun[],
  { exclude = [], ...options }: SelectionOptions & { readonly exclude?: readonly string[] },
): Selected {
  requireSelection(options, all);
  requireExclusions(exclude, all);
  const exclusions = new Map(exclude.length === 0 ? [] : all.map((check) => [check.id, exclusionOf(check, exclude)]));
  const reported = all.filter(createSelection(options, all));
  const existing = new Set(all.map(({ id }) => id));
  const ids = reported.length === all.length ? existing : new Set(reported.map(({ id }) => id));
  return {
    ...{ reported, existing, shard: reportedShard(options, all), beyond: checksBeyond(options, all) },
    isSelected: (id) => ids.has(id),
    exclusionOf: (id) => exclusions.get(id),
  };
}

/** Creates a predicate that returns whether a check is selected. `checks` are all checks of the contract. */
export function createSelection(
  { only = [], operations = [], ids, shard }: SelectionOptions,
  checks: readonly CheckToRun[],
): (check: CheckToRun) => boolean {
  const isMeant = createNameFilter(only);
  const isWithin = createOperationFilter(operations);
  const known = ids && new Set(ids);
  const isNamed = (check: CheckToRun) => isMeant(check) && isWithin(check) && known?.has(check.id) !== false;
  if (shard === undefined) return isNamed;
  const part = partOf(shard, checks.filter(isNamed));
  return ({ id }) => part.has(id);
}

/** Creates a predicate that returns whether a name of a check matches one of `only`, or `only` is empty. */
export function createNameFilter(only: readonly string[]): (check: CheckToRun) => boolean {
  const patterns = only.map(createPrefixMatcher);
  return ({ id, operation, rules }) =>
    patterns.length === 0 || [id, operation, ...rules].some((name) => patterns.some((pattern) => pattern(name)));
}

/** Creates a predicate that returns whether a check calls nothing but the named operations, or none are named. */
function createOperationFilter(names: readonly string[]): (check: CheckToRun) => boolean {
  if (names.length === 0) return () => true;
  const isNamed = createOperationMatcher(names);
  return (check) => {
    const calls = calledOperations(check);
    return calls.length > 0 && calls.every(isNamed);
  };
}

/** Finds the checks that call a named operation, but are not selected because they call others as well. Undefined without any. */
export function checksBeyond(
  { only = [], operations = [] }: SelectionOptions,
  checks: readonly CheckToRun[],
): ReportedBeyond | undefined {
  if (operations.length === 0) return undefined;
  const isNamed = createOperationMatcher(operations);
  const others = checks
    .filter(createNameFilter(only))
    .map((check) => ({
      named: calledOperations(check).filter(isNamed),
      others: calledOperations(check).filter((one) => !isNamed(one)),
    }))
    .filter((calls) => calls.named.length > 0 && calls.others.length > 0)
    .map((calls) => calls.others.map(({ id }) => id));
  if (others.length === 0) return undefined;
  const byName = [...groupBy(others.flat(), (id) => id)].sort(([, one], [, other]) => other.length - one.length);
  return { checks: others.length, operations: byName.map(([id]) => id) };
}

/** Creates a predicate that returns whether an operation has one of these names, in which `*` matches any text. */
export function createOperationMatcher(names: readonly string[]): (operation: CalledOperation) => boolean {
  const patterns = names.map(createNameMatcher);
  return (operation) => namesOf(operation).some((text) => patterns.some((matches) => matches(text)));
}

/** Finds the name of an exclusion that a check falls under, itself or by an operation that it calls. Undefined without any. */
function exclusionOf(check: CheckToRun, exclude: readonly string[]): string | undefined {
  return exclude.find(
    (name) => createNameMatcher(name)(check.id) || calledOperations(check).some(createOperationMatcher([name])),
  );
}

/** Throws a `CouldNotRunError`, which suggests similar names, if an exclusion names nothing. `checks` are all checks of the contract. */
function requireExclusions(exclude: readonly string[], checks: readonly CheckToRun[]): void {
  const unknown = exclude.filter((name) => !checks.some((check) => exclusionOf(check, [name]) !== undefined));
  if (unknown.length === 0) return;
  const known = [...new Set(checks.flatMap((check) => [check.id, ...calledOperations(check).flatMap(namesOf)]))];
  const problems = unknown.map((name) =>
    describeNearest(`No operation or check has the name \`${name}\``, name, known),
  );
  throw new CouldNotRunError(problems.join("\n"));
}

/** Creates a predicate that returns whether a run may call an operation: any, unless it is restricted to some. */
export function createAllowance({ operations = [] }: SelectionOptions): (operation: CalledOperation) => boolean {
  return operations.length === 0 ? () => true : createOperationMatcher(operations);
}

/** The operations that a check calls. */
export function calledOperations({ calls, operation }: CheckToRun): readonly CalledOperation[] {
  return calls ?? [{ id: operation }];
}

function namesOf({ id, title }: CalledOperation): string[] {
  return [id, ...id.split("/").slice(1), ...(title === undefined ? [] : [title])];
}

/**
 * The ids of the checks in a part. Every machine makes the same parts: by a hash of the id or, with timings, by giving each check, longest
 * first, to the part that takes the least time so far. A check without a timing counts as average.
 */
function partOf({ index, of, timings }: Shard, checks: readonly CheckToRun[]): ReadonlySet<string> {
  if (timings === undefined) {
    return new Set(checks.flatMap(({ id }) => (fnv1a(id) % of === index - 1 ? id : [])));
  }
  const known = checks.flatMap(({ id }) => timings.get(id) ?? []);
  const average = known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length);
  const weighted = checks
    .map(({ id }) => ({ id, milliseconds: timings.get(id) ?? average }))
    .sort((a, b) => b.milliseconds - a.milliseconds || (a.id < b.id ? -1 : 1));
  const parts = Array.from({ length: of }, () => ({ ids: new Set<string>(), milliseconds: 0 }));
  for (const { id, milliseconds } of weighted) {
    const shortest = parts.reduce((least, part) => (part.milliseconds < least.milliseconds ? part : least));
    shortest.ids.add(id);
    shortest.milliseconds += milliseconds;
  }
  return parts[index - 1]?.ids ?? new Set();
}

/** Describes the part of a run for its report. Undefined if the run has no parts. `checks` are all checks of the contract. */
export function reportedShard(
  { only = [], operations = [], ids, shard }: SelectionOptions,
  checks: readonly CheckToRun[],
): ReportedShard | undefined {
  if (shard === undefined) return undefined;
  const { index, of } = shard;
  const named = { only, operations, ids };
  return {
    index,
    of,
    checks: checks.filter(createSelection(named, checks)).length,
    restricted: only.length + operations.length > 0 || ids !== undefined,
  };
}

/**
 * Throws a `CouldNotRunError` if a selection matches nothing: a name in `only`, for which it suggests similar names, or the shard.
 * `checks` are all checks of the contract.
 */
export function requireSelection(
  { only = [], operations = [], ids, shard }: SelectionOptions,
  checks: readonly CheckToRun[],
): void {
  const existing = new Set(checks.map(({ id }) => id));
  const gone = ids?.filter((id) => !existing.has(id)) ?? [];
  if (gone.length > 0) throw new CouldNotRunError(gone.map((id) => `There is no check \`${id}\``).join("\n"));
  const selectsAll = ids === undefined && only.length + operations.length === 0 && shard === undefined;
  if (selectsAll && checks.length > 0) return;
  const called = checks.flatMap(calledOperations);
  const missing = operations.filter((name) => !called.some(createOperationMatcher([name])));
  if (missing.length > 0) {
    const known = [...new Set(called.flatMap(namesOf))];
    throw new CouldNotRunError(missing.map((name) => describeMissing(name, known)).join("\n"));
  }
  if (only.some((name) => name.trim() === "")) throw new CouldNotRunError("A name in the selection of checks is empty");
  const unknown = only.filter((name) => !checks.some(createNameFilter([name])));
  if (unknown.length > 0) throw new CouldNotRunError(unknown.map((name) => describeUnknown(name, checks)).join("\n"));
  const named = { only, operations, ids };
  const chosen = checks.filter(createSelection(named, checks));
  if (chosen.length === 0)
    throw new CouldNotRunError("No check has one of these names and calls only these operations");
  if (shard === undefined || chosen.some(createSelection({ ...named, shard }, checks))) return;
  throw new CouldNotRunError(
    `Part ${shard.index} of ${shard.of} has no check, because there ${chosen.length === 1 ? "is" : "are"} only ${pluralize(chosen.length, "check")}. Make fewer parts`,
  );
}

function describeMissing(name: string, known: readonly string[]): string {
  return describeNearest(`The contract has no operation \`${name}\``, name, known);
}

function describeNearest(sentence: string, name: string, known: readonly string[]): string {
  const similar = nearestNames(name, known).map((other) => `\`${other}\``);
  return similar.length === 0 ? sentence : `${sentence}. Similar: ${similar.join(", ")}`;
}

function describeUnknown(name: string, checks: readonly CheckToRun[]): string {
  const names = [...new Set(checks.flatMap(({ id, operation, rules }) => [id, operation, ...rules]))];
  return describeNearest(`No check, rule or operation has a name that begins with \`${name}\``, name, names);
}
