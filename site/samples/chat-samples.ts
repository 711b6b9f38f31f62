import type { Case } from "../../src/contract/rest/cases.js";
import { curlLine } from "../../src/judge/curl-line.js";
import { pythonSample } from "./python-sample.js";
import { type SampleRequest, toSampleRequest } from "./sample-request.js";
import { typescriptSample } from "./typescript-sample.js";

/** A call in one language. */
export interface Sample {
  readonly language: string;
  readonly title: string;
  readonly code: string;
}

/** The request of a case in three languages. */
export async function chatSamples(testCase: Pick<Case, "operationId" | "request" | "as">): Promise<Sample[]> {
  const request = await toSampleRequest(testCase);
  return [
    { language: "curl", title: "curl", code: await curlSample(request) },
    { language: "typescript", title: "TypeScript", code: typescriptSample(request) },
    { language: "python", title: "Python", code: pythonSample(request) },
  ];
}

/** The request as a `curl` command, an option to a line. */
async function curlSample({ sent, credentials }: SampleRequest): Promise<string> {
  const line = await curlLine(sent);
  const own = credentials === undefined ? line : line.replace(":***", `:${credentials.apiKey}`);
  return own.replaceAll(/ (?=--data-urlencode |--form-string |-F |-H |-u |http:\/\/127)/g, " \\\n  ");
}
