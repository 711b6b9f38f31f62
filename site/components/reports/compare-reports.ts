import type { JsonReport } from "../../../src/report/model/json-report.js";
import type { RuleState } from "../../../src/report/model/verdict.js";
import { ruleStates, type Verdict, verdictNames } from "../../../src/report/model/verdict.js";

/** A rule or check whose state differs between two reports. */
export interface Difference {
  readonly effect: "broken" | "fixed" | "changed" | "added" | "removed";
  readonly kind: "rule" | "check";
  readonly id: string;
  /** The states before and after, as the HTML report names them. */
  readonly change: string;
}

/** The severity of each state. A change to a higher one breaks something. */
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

/** Lists the differences between two reports of the same contract. */
export function compareReports(before: JsonReport, after: JsonReport): Difference[] {
  const rules = ({ rules }: JsonReport) => new Map(rules.map(({ id, state }) => [id, state]));
  const checks = ({ checks }: JsonReport) => new Map(checks.map(({ id, verdict }) => [id, verdict]));
  return [
    ...compareStates("rule", rules(before), rules(after), ruleRanks, ruleStates),
    ...compareStates("check", checks(before), checks(after), checkRanks, verdictNames),
  ];
}

function compareStates<State extends string>(
  kind: Difference["kind"],
  before: ReadonlyMap<string, State>,
  after: ReadonlyMap<string, State>,
  ranks: Readonly<Record<State, number>>,
  names: Readonly<Record<State, string>>,
): Difference[] {
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((id): Difference[] => {
    const [from, to] = [before.get(id), after.get(id)];
    if (from === to) return [];
    if (from === undefined || to === undefined) {
      const state = from ?? to;
      const effect = from === undefined ? "added" : "removed";
      return state === undefined ? [] : [{ effect, kind, id, change: names[state] }];
    }
    const rise = ranks[to] - ranks[from];
    const effect = rise > 0 ? "broken" : rise < 0 ? "fixed" : "changed";
    return [{ effect, kind, id, change: `${names[from]} → ${names[to]}` }];
  });
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
  const [level, otherLevel] = [before.level ?? "none", after.level ?? "none"];
  return [
    ...(level === otherLevel ? [] : [`The levels differ: ${level} and ${otherLevel}.`]),
    ...(before.version === after.version
      ? []
      : [`The versions of the contract differ: ${before.version} and ${after.version}.`]),
    ...(before.strict === after.strict ? [] : ["Only one of the runs was strict about recommendations."]),
    ...(before.partial || after.partial ? ["Only some checks ran, so that rules may seem fixed or new."] : []),
    ...(Date.parse(before.startedAt) > Date.parse(after.startedAt) ? ["The earlier report is the newer one."] : []),
  ];
}
