import { readFile } from "node:fs/promises";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { CouldNotRunError } from "../base/could-not-run-error.js";
import { missingPackage } from "../base/missing-package.js";
import { parseJson } from "../base/parse-json.js";
import { type CheckOutcome, type CheckResult, isStateNeed, plainCheckSchema } from "./model/check-result.js";
import { detailsSchema, type JsonCheck, type JsonReport, jsonReportSchema } from "./model/json-report.js";
import { neededState } from "./model/list-needs.js";
import { membersOf } from "./model/schema.js";
import type { VerifyReport } from "./model/verify-report.js";

let validator: ValidateFunction<JsonReport> | undefined;

/** Reads a report that `--json` wrote. Rejects with a `CouldNotRunError` if the file holds no report or is unreadable, or without Ajv. */
export async function readJsonReport(file: string): Promise<JsonReport> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new CouldNotRunError(`The report ${file} cannot be read: ${error.message}`);
  });
  const value = parseJson(text);
  if (value === undefined) throw new CouldNotRunError(`The report ${file} is not JSON`);
  validator ??= await compileSchema();
  if (validator(value)) return value;
  const [error] = validator.errors ?? [];
  const where = error?.instancePath === "" ? "the top level" : error?.instancePath;
  throw new CouldNotRunError(
    `${file} is not a report of this version of accord verify --json: ${where} ${error?.message ?? "is wrong"}`,
  );
}

/** Compiles the schema of reports. Formats are not checked, because nothing relies on them. Ajv is an optional dependency. */
async function compileSchema(): Promise<ValidateFunction<JsonReport>> {
  try {
    const { Ajv2020 } = await import("ajv/dist/2020.js");
    return new Ajv2020({ validateFormats: false }).compile<JsonReport>(jsonReportSchema);
  } catch (error) {
    if (missingPackage(error) === undefined) throw error;
    throw new CouldNotRunError(
      "Reports are read with Ajv, which is not installed. Install it with: npm install --save-dev ajv",
    );
  }
}

/** The result of a run from which `toJsonReport` makes the given report. */
export function fromJsonReport({ format: _, exitCode: _code, verdict: _verdict, ...json }: JsonReport): VerifyReport {
  const { checks, stale, needs = [], exercise } = json;
  const help = needs.flatMap(({ need, help: text }): (readonly [string, string])[] =>
    text === undefined || !isStateNeed(need) ? [] : [[neededState(need), text]],
  );
  const known = checks.flatMap(({ id, knownFailing }): (readonly [string, string])[] =>
    knownFailing === undefined ? [] : [[id, knownFailing]],
  );
  return {
    ...json,
    stateHelp: new Map(help),
    checks: checks.map(toCheckResult),
    existing: new Set(checks.map(({ id }) => id)),
    knownFailing: new Map([...known, ...stale.map(({ name, reason }) => [name, reason] as const)]),
    minExercised: exercise.minPercent,
  };
}

function toCheckResult({ outcome: kind, ...json }: JsonCheck): CheckResult {
  return {
    ...membersOf(plainCheckSchema, json),
    outcome: { kind, ...required[kind], ...membersOf(detailsSchema, json) } as CheckOutcome,
    durationMs: json.durationMs,
  };
}

/** The members that each outcome has, because the schema of reports does not require them. */
const required = {
  passed: {},
  failed: { problems: [], broken: [], trace: [] },
  deviated: { problems: [], broken: [], trace: [] },
  skipped: { reason: "" },
  errored: { reason: "", trace: [] },
} as const satisfies Record<CheckOutcome["kind"], object>;
