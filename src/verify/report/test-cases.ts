import type { JsonCheck, JsonRule } from "../model/json-report.js";
import { describeStale } from "../model/judge-rules.js";
import type { ReportModel } from "../model/to-json-report.js";
import type { Verdict } from "../model/verdict.js";

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
 * Lists every check, then the outdated known-failing entries that match no check. A run that was stopped, or exercised too few rules, adds
 * a test that fails, so that no reader takes it for a pass.
 */
export function listTestCases({ checks, rules, stale, stopped, exitCode, verdict }: ReportModel): TestCase[] {
  const ruleOf = new Map(rules.map((rule) => [rule.id, rule]));
  const unknown = stale.filter(({ why }) => why === "unknown");
  const run = { suite: "run", durationMs: 0 };
  return [
    ...checks.map((check) => ({
      name: check.id,
      suite: check.operation,
      status: check.verdict,
      durationMs: check.durationMs,
      ...describeCheck(check, ruleOf),
      check,
    })),
    ...unknown.map(({ name, why, reason, nearest }) => ({
      name,
      suite: "known-failing",
      status: "stale" as const,
      durationMs: 0,
      message: describeStale(why),
      details: [`Reason given: ${reason}`, ...nearest.map((other) => `Similar: ${other}`)].join("\n"),
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
    ...(exitCode === 3
      ? [{ ...run, name: "inconclusive", status: "inconclusive" as const, message: verdict.sentence }]
      : []),
  ];
}

function describeCheck(check: JsonCheck, ruleOf: ReadonlyMap<string, JsonRule>): Pick<TestCase, "message" | "details"> {
  const { verdict, knownFailing = "", broken = [], problems = [], reason = "", help } = check;
  switch (verdict) {
    case "passed":
      return {};
    case "skipped":
      return { message: reason };
    case "stale":
      return { message: describeStale("passes"), details: `Reason given: ${knownFailing}` };
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
