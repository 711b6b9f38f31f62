import type { VerifyReport } from "../../../src/report/model/verify-report.js";
import { failing } from "../sample-report.js";

/** Changes a report so that a number of checks fail, cases first, all others pass, and no failure is known. */
export function withFailures(report: VerifyReport, count: number): VerifyReport {
  const checks = report.checks.map((check, index) => ({
    ...check,
    outcome: index < count ? failing : ({ kind: "passed" } as const),
  }));
  return { ...report, checks, knownFailing: new Map() };
}
