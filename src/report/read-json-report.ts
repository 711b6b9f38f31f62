import { readFile } from "node:fs/promises";
import { CouldNotRunError } from "../base/could-not-run-error.js";
import { once } from "../base/once.js";
import { parseJson } from "../base/parse-json.js";
import { createAjv } from "../schema/create-ajv.js";
import { describeProblem } from "../schema/describe-error.js";
import { type CheckOutcome, type CheckResult, isStateNeed, plainCheckSchema } from "./model/check-result.js";
import { detailsSchema, type JsonCheck, type JsonReport, jsonReportSchema } from "./model/json-report.js";
import { neededState } from "./model/list-needs.js";
import { membersOf } from "./model/schema.js";
import type { VerifyReport } from "./model/verify-report.js";

/** Formats are not checked, because nothing relies on them. */
const reportValidator = once(() => createAjv({ validateFormats: false }).compile<JsonReport>(jsonReportSchema));

/** Reads a report that `--json` wrote. Rejects with a `CouldNotRunError` if the file holds no report or is unreadable, and with a `UsageError` without Ajv. */
export async function readJsonReport(file: string): Promise<JsonReport> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new CouldNotRunError(`The report ${file} cannot be read: ${error.message}`);
  });
  const value = parseJson(text);
  if (value === undefined) throw new CouldNotRunError(`The report ${file} is not JSON`);
  const validate = reportValidator();
  if (validate(value)) return value;
  const [problem] = (validate.errors ?? []).map(
    (one) => `${one.instancePath || "the top level"} ${describeProblem(one)}`,
  );
  throw new CouldNotRunError(`${file} is not a report of this version of accord verify --json: ${problem}`);
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
