import { type JsonReport, jsonReportSchema } from "../../../src/report/model/json-report.js";
import { createAjv } from "../../../src/schema/create-ajv.js";
import { describeProblem } from "../../../src/schema/describe-error.js";
import { bytesText } from "../../../src/wire/answer-limits.js";

/** The maximum size of a report in bytes. The report of a server that breaks everything has about 10 MB. */
const maxReportBytes = 64 * 1024 * 1024;

const validate = createAjv({ validateFormats: false }).compile<JsonReport>(jsonReportSchema);

/** Reads a report that `--json` wrote. The file is untrusted. Rejects with an error that says why the file is not a report. */
export async function readReport(file: File): Promise<JsonReport> {
  if (file.size > maxReportBytes) throw new Error(`It is larger than ${bytesText(maxReportBytes)}`);
  const text = await file.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("It is not JSON. Choose the file that --json wrote, not the one of --html or --junit");
  }
  if (validate(value)) return value;
  const [problem] = (validate.errors ?? []).map(
    (one) => `${one.instancePath || "the top level"} ${describeProblem(one)}`,
  );
  throw new Error(
    `It is not a report of this version of accord: ${problem}. ` +
      "Choose a file that --json of accord verify, accord proxy or accord check wrote",
  );
}
