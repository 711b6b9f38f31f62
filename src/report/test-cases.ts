import { describeLastingOutage } from "./model/disturbances.js";
import { describeStale } from "./model/findings.js";
import type { JsonCheck, JsonRule, StaleEntry } from "./model/json-report.js";
import type { ReportModel } from "./model/to-json-report.js";
import type { Verdict } from "./model/verdict.js";

/** A check, or a problem of the run, as CI systems list tests. */
export interface TestCase {
  readonly name: string;
  /** The operation of a check. */
  readonly suite: string;
  readonly status: Verdict | "stopped" | "inconclusive";
  readonly durationMs: number;
  /** Why it did not pass, in a line. */
  readonly message?: string;
  /** The broken rules, the problems and the calls. */
  readonly details?: string;
  /** Undefined for a problem of the run. */
  readonly check?: JsonCheck;
}

/**
 * Lists every check, then the outdated known-failing entries that match no check. A run that was stopped, lost its server, or exercised too few
 * rules, adds a test that fails, so that no reader takes it for a pass.
 */
export function listTestCases(report: ReportModel): TestCase[] {
  const { checks, rules, stale, stopped, exitCode, verdict } = report;
  const outage = describeLastingOutage(report);
  const ruleOf = new Map(rules.map((rule) => [rule.id, rule]));
  const run = { suite: "run", durationMs: 0 };
  return [
    ...checks.map((check) => ({
      name: check.id,
      suite: check.operation,
      status: check.verdict,
      durationMs: check.durationMs,
      ...(check.verdict === "stale"
        ? describeEntry(stale.find(({ name }) => name === check.id))
        : describeCheck(check, ruleOf)),
      check,
    })),
    ...stale
      .filter(({ why }) => why === "unknown")
      .map((entry) => ({
        name: entry.name,
        suite: "known-failing",
        status: "stale" as const,
        durationMs: 0,
        ...describeEntry(entry),
      })),
    ...(stopped
      ? [
          {
            ...run,
            name: "stopped",
            status: "stopped" as const,
            message: "The run was stopped before it was complete.",
          },
        ]
      : []),
    ...(outage === undefined ? [] : [{ ...run, name: "server", status: "stopped" as const, message: outage }]),
    ...(exitCode === 3
      ? [{ ...run, name: "inconclusive", status: "inconclusive" as const, message: verdict.sentence }]
      : []),
  ];
}

function describeEntry(entry: StaleEntry | undefined): Pick<TestCase, "message" | "details"> {
  if (entry === undefined) return {};
  const [message, ...details] = describeStale(entry);
  return { message, details: details.join("\n") };
}

function describeCheck(check: JsonCheck, ruleOf: ReadonlyMap<string, JsonRule>): Pick<TestCase, "message" | "details"> {
  const { verdict, knownFailing = "", broken = [], problems = [], reason = "", help } = check;
  switch (verdict) {
    case "passed":
    case "stale":
      return {};
    case "skipped":
      return { message: reason };
    case "errored":
      return {
        message: reason,
        details: [check.summary, reason, ...(help === undefined ? [] : [help]), ...callsOf(check)].join("\n"),
      };
    case "failed":
    case "deviating":
    case "expected": {
      const effect = check.outcome === "deviated" ? "Does not follow" : "Breaks";
      const ofRules = broken.map((id) => {
        const { text = "no rule of the contract", source } = ruleOf.get(id) ?? {};
        return `${effect} ${id}: ${text}${source === undefined ? "" : ` (Source: ${source})`}`;
      });
      const ofProblems = problems.map((problem) => `- ${problem}`);
      const first = [...broken.slice(0, 1), problems[0] ?? "It fails."].join(": ");
      return {
        message: verdict === "expected" ? `Known to fail: ${knownFailing}` : first,
        details: [check.summary, ...ofRules, ...ofProblems, ...callsOf(check)].join("\n"),
      };
    }
  }
}

function callsOf({ trace = [] }: JsonCheck): string[] {
  return trace.flatMap(({ command, response }) => ["", `$ ${command}`, "", response ?? "no answer"]);
}
