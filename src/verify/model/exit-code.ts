import type { ExitCode } from "./json-report.js";
import { toJsonReport } from "./to-json-report.js";
import type { VerifyReport } from "./verify-report.js";

/** The exit code of a verification. It is 2 if a check could not run, or if no check ran. */
export function exitCode(report: VerifyReport): ExitCode {
  return toJsonReport(report).exitCode;
}
