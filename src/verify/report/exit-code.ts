import type { VerifyReport } from "../model/verify-report.js";
import { toJsonReport } from "./format-json.js";
import type { ExitCode } from "./json-report.js";

/** The exit code of a verification. It is 2 if a check could not run, or if no check ran. */
export function exitCode(report: VerifyReport): ExitCode {
  return toJsonReport(report).exitCode;
}
