import type { VerifyReport } from "../../../../src/verify/verify-report.js";
import { failing } from "../sample-report.js";

/** The report when so many of its checks fail, all else passes, and nothing is known to fail. Those of cases come first. */
export function withFailures(report: VerifyReport, count: number): VerifyReport {
  const checks = report.checks.map((check, index) => ({
    ...check,
    outcome: index < count ? failing : ({ kind: "passed" } as const),
  }));
  return { ...report, checks, knownFailing: new Map() };
}
