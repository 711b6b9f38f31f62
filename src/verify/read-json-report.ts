import { readFile } from "node:fs/promises";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { missingPackage } from "../missing-package.js";
import { parseJson } from "../parse-json.js";
import { CouldNotRunError } from "./could-not-run-error.js";
import { type JsonReport, jsonReportSchema } from "./model/json-report.js";

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
