import type { JsonCheck, JsonReport, JsonRule } from "../../../src/verify/report/json-report.js";
import type { Verdict } from "../../../src/verify/report/verdict.js";
import type { RuleState } from "../../../src/verify/verify-report.js";

/** A rule or check that the two reports judge differently. */
export interface Change<Item, State> {
  readonly item: Item;
  readonly before: State;
  readonly after: State;
}

/** Changes, grouped by their meaning. */
export interface Changes<Item, State> {
  /** The state became more severe. */
  readonly broken: readonly Change<Item, State>[];
  /** The state became less severe, even if it is not yet fine. */
  readonly mended: readonly Change<Item, State>[];
  /** The state changed to one of the same severity: a rule was not exercised before, for example. */
  readonly other: readonly Change<Item, State>[];
  /** In the same state in both reports, and not fine. */
  readonly still: readonly Item[];
  readonly added: readonly Item[];
  readonly removed: readonly Item[];
}

/** The differences of two reports. */
export interface Comparison {
  readonly rules: Changes<JsonRule, RuleState>;
  readonly checks: Changes<JsonCheck, Verdict>;
}

/** The severity of each state. A change to a higher one broke something. */
const ruleRanks: Readonly<Record<RuleState, number>> = {
  kept: 0,
  "not-exercised": 0,
  untestable: 0,
  deviating: 1,
  broken: 2,
};

const checkRanks: Readonly<Record<Verdict, number>> = {
  passed: 0,
  skipped: 0,
  deviating: 1,
  expected: 1,
  stale: 2,
  errored: 2,
  failed: 3,
};

/** Compares two reports of the same contract. */
export function compareReports(before: JsonReport, after: JsonReport): Comparison {
  return {
    rules: compare(before.rules, after.rules, ({ state }) => state, ruleRanks),
    checks: compare(before.checks, after.checks, ({ verdict }) => verdict, checkRanks),
  };
}

function compare<Item extends { readonly id: string }, State extends string>(
  before: readonly Item[],
  after: readonly Item[],
  stateOf: (item: Item) => State,
  ranks: Readonly<Record<State, number>>,
): Changes<Item, State> {
  const earlier = new Map(before.map((item) => [item.id, item]));
  const later = new Set(after.map(({ id }) => id));
  const changes = after.flatMap((item): Change<Item, State>[] => {
    const old = earlier.get(item.id);
    return old === undefined ? [] : [{ item, before: stateOf(old), after: stateOf(item) }];
  });
  const rise = ({ before: from, after: to }: Change<Item, State>) => ranks[to] - ranks[from];
  return {
    broken: changes.filter((change) => rise(change) > 0),
    mended: changes.filter((change) => rise(change) < 0),
    other: changes.filter((change) => rise(change) === 0 && change.before !== change.after),
    still: changes
      .filter((change) => change.before === change.after && ranks[change.after] > 0)
      .map(({ item }) => item),
    added: after.filter(({ id }) => !earlier.has(id)),
    removed: before.filter(({ id }) => !later.has(id)),
  };
}

/** The reason why two reports cannot be compared. Undefined if they can. */
export function comparisonProblem(before: JsonReport, after: JsonReport): string | undefined {
  if (before.contract !== after.contract) {
    return `One report is about the ${before.contract} contract, the other about the ${after.contract} contract.`;
  }
  if ((before.coverage === undefined) !== (after.coverage === undefined)) {
    return "One report is about a server, the other about the traffic of a client.";
  }
  return undefined;
}

/** Differences between the two runs that a reader of the comparison should know. */
export function comparisonNotes(before: JsonReport, after: JsonReport): string[] {
  return [
    ...(before.level === after.level
      ? []
      : [`The levels differ: ${before.level ?? "none"} and ${after.level ?? "none"}.`]),
    ...(before.version === after.version
      ? []
      : [`The versions of the contract differ: ${before.version} and ${after.version}.`]),
    ...(before.strict === after.strict ? [] : ["Only one of the runs was strict about recommendations."]),
    ...(before.partial || after.partial ? ["Only some checks ran, so that rules may seem mended or new."] : []),
  ];
}
