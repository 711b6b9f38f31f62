import { readFile } from "node:fs/promises";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { missingPackage } from "../../missing-package.js";
import { parseJson } from "../../parse-json.js";
import type { Check, CheckOutcome } from "../check.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import type { VerifyReport } from "../verify-report.js";
import { type JsonCheck, type JsonReport, jsonReportSchema } from "./json-report.js";

let validator: ValidateFunction<JsonReport> | undefined;

/** Reads a report that `--json` wrote. Rejects with a `CouldNotRunError` if the file is unreadable or holds something else. */
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

/** The report from which `toJsonReport` makes the given value. */
export function fromJsonReport(json: JsonReport): VerifyReport {
  const { contract, version, target, level, seed, serverVersion, shard, strict, partial, stopped, coverage } = json;
  const listed = json.checks.flatMap(({ id, knownFailing }) =>
    knownFailing === undefined ? [] : [[id, knownFailing] as const],
  );
  return {
    contract,
    version,
    target,
    ...(level === undefined ? {} : { level }),
    ...(seed === undefined ? {} : { seed }),
    ...(serverVersion === undefined ? {} : { serverVersion }),
    ...(shard === undefined ? {} : { shard }),
    rules: json.rules.map(({ state: _state, reason: _reason, checks: _checks, ...rule }) => rule),
    checks: json.checks.map(toCheck),
    existing: new Set(json.checks.map(({ id }) => id)),
    knownFailing: new Map([...listed, ...json.stale.map(({ name, reason }) => [name, reason] as const)]),
    strict,
    partial,
    stopped,
    minExercised: json.exercise.minPercent,
    ...(coverage === undefined ? {} : { coverage }),
    startedAt: json.startedAt,
    durationMs: json.durationMs,
  };
}

function toCheck(json: JsonCheck): Check {
  const { id, kind, operation, summary, rules, reliesOn, durationMs } = json;
  const check = { id, kind, operation, summary, rules, durationMs, outcome: toOutcome(json) };
  return reliesOn === undefined ? check : { ...check, reliesOn };
}

function toOutcome(json: JsonCheck): CheckOutcome {
  const { outcome: kind, problems = [], broken = [], shown, reason = "", help, trace = [] } = json;
  const showing = shown === undefined ? {} : { shown };
  switch (kind) {
    case "passed":
      return { kind, ...showing, ...(json.reason === undefined ? {} : { reason }) };
    case "failed": {
      const { letThrough, forbidden } = json;
      return {
        kind,
        problems,
        broken,
        ...showing,
        ...(letThrough === undefined ? {} : { letThrough }),
        ...(forbidden === undefined ? {} : { forbidden }),
        trace,
      };
    }
    case "deviated":
      return { kind, problems, broken, ...showing, trace };
    case "skipped":
      return { kind, reason };
    case "errored":
      return { kind, reason, ...(help === undefined ? {} : { help }), trace };
  }
}
