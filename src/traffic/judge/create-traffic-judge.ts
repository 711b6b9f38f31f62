import { packageVersion } from "../../base/versions.js";
import type { Mask } from "../../judge/excerpt.js";
import type { CheckResult } from "../../report/model/check-result.js";
import type { CoverageItem } from "../../report/model/coverage.js";
import type { VerifyReport } from "../../report/model/verify-report.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { type CoverageCounter, createCoverageCounter } from "./coverage.js";
import { createTrafficRecorder, type JudgedSide } from "./create-traffic-recorder.js";

/** What judging the traffic of one contract needs. */
export interface TrafficContract {
  /** What reports say about the contract and the server. */
  readonly about: Pick<VerifyReport, "contract" | "version" | "target" | "level" | "seed" | "rules">;
  /** Everything that traffic can show, by kind. */
  readonly coverage: Readonly<Record<string, readonly Omit<CoverageItem, "count">[]>>;
  /** Whether a finding can have this name in place of an operation. */
  readonly isOperation: (name: string) => boolean;
  /** Judges an exchange, after all earlier ones, and counts what it shows. */
  readonly judge: (exchange: RecordedExchange, coverage: CoverageCounter) => Promise<readonly JudgedSide[]>;
  /** The checks that all exchanges together show. */
  readonly checks: (strict: boolean) => readonly CheckResult[];
  /** A mask of the secrets of an exchange and of recent ones. */
  readonly maskOf: (exchange: RecordedExchange) => Mask;
  /** The exchange as recordings hold it. Defaults to all of it. */
  readonly toRecord?: (exchange: RecordedExchange) => RecordedExchange;
}

/** How to judge the traffic of any contract. */
export interface JudgeOptions {
  /** Whether recommendations count as broken. Defaults to false. */
  readonly strict?: boolean;
  /** Findings that are known, with the reason. */
  readonly knownFailing?: ReadonlyMap<string, string>;
  /** The minimum share of rules that the traffic must exercise for a verdict, in percent. Defaults to 0. */
  readonly minExercised?: number;
  /** Called with each finding when it occurs for the first time. */
  readonly onFinding?: (check: CheckResult) => void;
  /** Called with each exchange and a mask of its secrets, before it is judged. */
  readonly onExchange?: (exchange: RecordedExchange, mask: Mask) => void;
}

/** Judges exchanges one after the other. */
export interface TrafficJudge {
  /** Judges an exchange, after all earlier ones have been judged. Resolves with the checks of new findings. */
  readonly observe: (exchange: RecordedExchange) => Promise<readonly CheckResult[]>;
  /** The report on all exchanges that were judged. */
  readonly report: () => VerifyReport;
}

/** Creates a judge of traffic by a contract. `record` gets each exchange as recordings hold it, and a mask of its secrets. */
export function createTrafficJudge(
  contract: TrafficContract,
  options: JudgeOptions = {},
  record?: (exchange: RecordedExchange, mask: Mask) => void,
): TrafficJudge {
  const { strict = false, knownFailing = new Map(), minExercised = 0, onFinding, onExchange } = options;
  const recorder = createTrafficRecorder(strict);
  const coverage = createCoverageCounter(contract.coverage);
  const started = new Date();

  async function observe(exchange: RecordedExchange): Promise<readonly CheckResult[]> {
    const mask = contract.maskOf(exchange);
    record?.(contract.toRecord?.(exchange) ?? exchange, mask);
    onExchange?.(exchange, mask);
    const added: CheckResult[] = [];
    for (const side of await contract.judge(exchange, coverage))
      added.push(...(await recorder.add(masked(side, mask))));
    for (const check of added) onFinding?.(check);
    return added;
  }

  return {
    observe: (exchange) =>
      observe(exchange).catch((error: unknown) => {
        coverage.notJudged("a fault of this package, not of the client or server");
        throw error;
      }),
    report: () => {
      const checks = [...recorder.checks(), ...contract.checks(strict)];
      return {
        ...contract.about,
        packageVersion,
        checks: [...checks, ...resolvedFindings(knownFailing, checks)].sort((a, b) => (a.id < b.id ? -1 : 1)),
        existing: new Set([
          ...checks.map(({ id }) => id),
          ...[...knownFailing.keys()].filter((id) => contract.isOperation(operationOf(id) ?? "")),
        ]),
        knownFailing,
        strict,
        minExercised,
        coverage: coverage.result(),
        startedAt: started.toISOString(),
        durationMs: Date.now() - started.getTime(),
      };
    },
  };
}

/** A judgement without secrets: names of findings reach lists of known ones. */
function masked(side: JudgedSide, mask: Mask): JudgedSide {
  const findings = side.findings.map(({ subject, ...finding }) => ({
    ...finding,
    problem: mask(finding.problem),
    subject: subject && mask(subject),
  }));
  return { ...side, findings };
}

/** The operation in the name of a finding. */
function operationOf(id: string): string | undefined {
  return /^(?:client|server) ([^:]+): \S/.exec(id)?.[1];
}

/** Known findings that did not occur although their operation was called, so the list is out of date. */
function resolvedFindings(known: ReadonlyMap<string, string>, checks: readonly CheckResult[]): CheckResult[] {
  const seen = new Set(checks.map(({ operation }) => operation));
  const ids = new Set(checks.map(({ id }) => id));
  return [...known.keys()].flatMap((id): CheckResult[] => {
    const operation = operationOf(id);
    if (operation === undefined || ids.has(id) || !seen.has(operation)) return [];
    const kind = id.startsWith("client") ? "request" : "response";
    const check = { id, kind, operation, summary: "It did not occur.", rules: [], durationMs: 0 } as const;
    return [{ ...check, outcome: { kind: "passed" } }];
  });
}
