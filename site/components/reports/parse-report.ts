import { bytesText } from "../../../src/verify/answer-limits.js";
import { type JsonReport, jsonReportSchema } from "../../../src/verify/report/json-report.js";
import { loadAjv } from "../console/load-ajv.js";

/** A report, or the reason why a file is not one. */
export type ParsedReport =
  | { readonly kind: "report"; readonly name: string; readonly report: JsonReport }
  | { readonly kind: "problem"; readonly name: string; readonly problem: string };

/** The maximum size of a report in bytes. The report of a server that breaks everything has about 10 MB. */
export const maxReportBytes = 64 * 1024 * 1024;

let validate: ReturnType<InstanceType<ReturnType<typeof loadAjv>>["compile"]> | undefined;

/** Reads a report that `--json` wrote. The file is untrusted. */
export async function readReport(file: File): Promise<ParsedReport> {
  const { name } = file;
  if (file.size > maxReportBytes) {
    return { kind: "problem", name, problem: `It is larger than ${bytesText(maxReportBytes)}, so it is not read.` };
  }
  try {
    return parseReport(name, await file.text());
  } catch {
    // A folder, or a file that was removed meanwhile.
    return { kind: "problem", name, problem: "It cannot be read." };
  }
}

/** Reads the text of a report. */
export function parseReport(name: string, text: string): ParsedReport {
  const problem = (why: string): ParsedReport => ({ kind: "problem", name, problem: why });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return problem("It is not JSON. Choose the file that --json wrote, not the one of --html or --junit.");
  }
  if (typeof value === "object" && value !== null && "log" in value) {
    return problem(
      "It looks like a recording (HAR). Judge it with accord check first, and choose the file of its --json.",
    );
  }
  validate ??= new (loadAjv())({ validateFormats: false }).compile(jsonReportSchema);
  if (validate(value)) return { kind: "report", name, report: value as JsonReport };
  const [error] = validate.errors ?? [];
  const where = error?.instancePath ? error.instancePath : "the top level";
  return problem(
    `It is not a report of this version of accord: ${where} ${error?.message ?? "is wrong"}. Reports are written by --json of ` +
      "accord verify, accord proxy and accord check.",
  );
}
