import { excerpt } from "../../judge/excerpt.js";
import type { CheckResult, ReportedExchange } from "../../report/model/check-result.js";
import { pluralize } from "../../text/format-values.js";
import type { TrafficFinding } from "./finding.js";

/** The judgement on one side of an exchange. */
export interface JudgedSide {
  readonly party: TrafficFinding["party"];
  /** The operation, or else the name of the called endpoint. */
  readonly operation: string;
  readonly findings: readonly TrafficFinding[];
  /** The rules that this side could have broken. */
  readonly shown: readonly string[];
  /** Renders the exchange, with secrets masked. Called only for the first exchange with a finding. */
  readonly describe: () => Promise<readonly ReportedExchange[]>;
}

/** Groups the findings of any number of exchanges in bounded memory. */
export interface TrafficRecorder {
  /** Adds a judgement. Resolves with the checks of findings that occur for the first time. */
  readonly add: (side: JudgedSide) => Promise<readonly CheckResult[]>;
  /** The findings as failed checks, and a passed check for each operation and party with clean exchanges. */
  readonly checks: () => CheckResult[];
}

/** How many different findings are kept, and how many operations. */
export const maxGroups = 1_000;

/** How many characters of the subject are part of the name of a finding. */
const maxSubjectLength = 100;

/** How often one side of an operation occurred. */
interface Side {
  readonly party: TrafficFinding["party"];
  readonly operation: string;
  readonly shown: Set<string>;
  total: number;
  clean: number;
}

/**
 * Creates a recorder. The same finding of several exchanges becomes one check, which shows the first. With `strict`, recommendations
 * count as broken.
 */
export function createTrafficRecorder(strict: boolean): TrafficRecorder {
  const groups = new Map<string, { readonly check: CheckResult; count: number }>();
  const sides = new Map<string, Side>();

  function count({ party, operation, findings, shown }: JudgedSide): void {
    const key = `${party} ${operation}`;
    const side = sides.get(key) ?? { party, operation, shown: new Set(), total: 0, clean: 0 };
    if (sides.size < maxGroups) sides.set(key, side);
    side.total++;
    for (const id of shown) side.shown.add(id);
    if (findings.length === 0) side.clean++;
  }

  return {
    add: async (side) => {
      count(side);
      const added: CheckResult[] = [];
      const counted = new Set<string>();
      for (const finding of side.findings) {
        const id = findingId(side, finding);
        if (counted.has(id)) continue;
        counted.add(id);
        const known = groups.get(id);
        if (known !== undefined) known.count++;
        else if (groups.size < maxGroups) {
          const check = toCheck(id, side.operation, finding, strict, await side.describe());
          groups.set(id, { check, count: 1 });
          added.push(check);
        }
      }
      return added;
    },
    checks: () => [
      ...[...groups.values()].map(({ check, count: times }) => ({ ...check, summary: found(times) })),
      ...[...sides.values()].filter(({ clean }) => clean > 0).map(toPassed),
    ],
  };
}

function toCheck(
  id: string,
  operation: string,
  { party, rule, strength, problem }: TrafficFinding,
  strict: boolean,
  trace: readonly ReportedExchange[],
): CheckResult {
  const rules = rule === undefined ? [] : [rule];
  const kind = strength === "should" && !strict && rules.length > 0 ? "deviated" : "failed";
  const outcome = { kind, problems: [problem], broken: rules, trace } as const;
  return { id, kind: kindOf(party), operation, summary: found(1), rules, outcome, durationMs: 0 };
}

/** The name of a finding, which known-failing lists refer to. */
function findingId({ operation }: JudgedSide, { party, rule = "contract", subject }: TrafficFinding): string {
  const about = subject === undefined || subject === operation ? "" : ` ${excerpt(subject, maxSubjectLength, String)}`;
  return `${party} ${operation}: ${rule}${about}`;
}

function kindOf(party: TrafficFinding["party"]): CheckResult["kind"] {
  return party === "client" ? "request" : "response";
}

function found(count: number): string {
  return `Found in ${pluralize(count, "exchange")}${count === 1 ? "" : ", first in this one"}.`;
}

function toPassed({ party, operation, shown, total, clean }: Side): CheckResult {
  const what = party === "client" ? "requests" : "responses";
  const share = clean === total ? `${total}` : `${clean} of ${total}`;
  const summary = `${share} ${what} follow the contract.`;
  const rules = [...shown];
  const id = `${party} ${operation}`;
  return { id, kind: kindOf(party), operation, summary, rules, outcome: { kind: "passed" }, durationMs: 0 };
}
