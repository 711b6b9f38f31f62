import type { Check, Exchange } from "../check.js";
import { excerpt } from "../excerpt.js";
import { pluralize } from "../report/format-values.js";
import type { Finding } from "./traffic.js";

/** The judgement on one side of an exchange. */
export interface JudgedSide {
  readonly party: Finding["party"];
  /** The operation, or else the name of the called endpoint. */
  readonly operation: string;
  readonly findings: readonly Finding[];
  /** The rules that this side could have broken. */
  readonly shown: readonly string[];
  /** Renders the exchange, with secrets masked. Called only for the first exchange with a finding. */
  readonly describe: () => Promise<readonly Exchange[]>;
}

/** Groups the findings of any number of exchanges in bounded memory. */
export interface TrafficRecorder {
  /** Adds a judgement. Resolves with the checks of findings that occur for the first time. */
  readonly add: (side: JudgedSide) => Promise<readonly Check[]>;
  /** The findings as failed checks, and a passed check for each operation and party with clean exchanges. */
  readonly checks: () => Check[];
}

/** How many different findings are kept, and how many operations. */
const maxGroups = 1_000;

/** How many characters of the subject are part of the name of a finding. */
const maxSubjectLength = 100;

interface Group {
  readonly check: Check;
  count: number;
}

interface Clean {
  readonly party: Finding["party"];
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
  const groups = new Map<string, Group>();
  const operations = new Map<string, Clean>();

  async function add({ party, operation, findings, shown, describe }: JudgedSide): Promise<readonly Check[]> {
    const clean = operationOf(party, operation);
    if (clean !== undefined) {
      clean.total++;
      for (const id of shown) clean.shown.add(id);
      if (findings.length === 0) clean.clean++;
    }
    const added: Check[] = [];
    const counted = new Set<string>();
    for (const finding of findings) {
      const id = findingId(operation, finding);
      const known = groups.get(id);
      if (known !== undefined) {
        if (!counted.has(id)) known.count++;
        counted.add(id);
        continue;
      }
      counted.add(id);
      if (groups.size >= maxGroups) continue;
      const check = toCheck(id, operation, finding, await describe());
      groups.set(id, { check, count: 1 });
      added.push(check);
    }
    return added;
  }

  function operationOf(party: Finding["party"], operation: string): Clean | undefined {
    const key = `${party} ${operation}`;
    const known = operations.get(key);
    if (known !== undefined || operations.size >= maxGroups) return known;
    const created: Clean = { party, operation, shown: new Set(), total: 0, clean: 0 };
    operations.set(key, created);
    return created;
  }

  function toCheck(id: string, operation: string, finding: Finding, trace: readonly Exchange[]): Check {
    const { party, rule, strength, problem } = finding;
    const broken = rule === undefined ? [] : [rule];
    const isDeviation = strength === "should" && !strict && broken.length > 0;
    return {
      id,
      kind: kindOf(party),
      operation,
      summary: found(1),
      rules: broken,
      outcome: { kind: isDeviation ? "deviated" : "failed", problems: [problem], broken, trace },
      durationMs: 0,
    };
  }

  return {
    add,
    checks: () => [
      ...[...groups.values()].map(({ check, count }) => ({ ...check, summary: found(count) })),
      ...[...operations.values()].filter(({ clean }) => clean > 0).map(toPassed),
    ],
  };
}

/** The name of a finding, which known-failing lists refer to. */
function findingId(operation: string, { party, rule = "contract", subject }: Finding): string {
  const about = subject === undefined || subject === operation ? "" : ` ${excerpt(subject, maxSubjectLength, String)}`;
  return `${party} ${operation}: ${rule}${about}`;
}

function kindOf(party: Finding["party"]): Check["kind"] {
  return party === "client" ? "request" : "response";
}

function found(count: number): string {
  return `Found in ${pluralize(count, "exchange")}${count === 1 ? "" : ", first in this one"}.`;
}

function toPassed({ party, operation, shown, total, clean }: Clean): Check {
  const what = party === "client" ? "requests" : "responses";
  const share = clean === total ? `${total}` : `${clean} of ${total}`;
  return {
    id: `${party} ${operation}`,
    kind: kindOf(party),
    operation,
    summary: `${share} ${what} follow the contract.`,
    rules: [...shown],
    outcome: { kind: "passed" },
    durationMs: 0,
  };
}
