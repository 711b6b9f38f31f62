import { packageVersion } from "../../base/versions.js";
import type { Mask } from "../../verify/excerpt.js";
import type { CheckResult } from "../../verify/model/check-result.js";
import type { VerifyReport } from "../../verify/model/verify-report.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { createCoverageCounter } from "./coverage.js";
import { createTrafficRecorder } from "./create-traffic-recorder.js";
import type { JudgeOptions, TrafficContract } from "./traffic-contract.js";

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
    for (const side of await contract.judge(exchange, coverage)) added.push(...(await recorder.add(side)));
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
