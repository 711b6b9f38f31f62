import { curlLine } from "../../src/verify/chat/exchange/curl-line.js";
import type { SampleRequest } from "./sample-request.js";

/** The request as a `curl` command, an option to a line. */
export async function curlSample({ sent, credentials }: SampleRequest): Promise<string> {
  const line = await curlLine(sent);
  const own = credentials === undefined ? line : line.replace(":***", `:${credentials.apiKey}`);
  return own.replaceAll(/ (?=--data-urlencode |--form-string |-F |-H |-u |http:\/\/127)/g, " \\\n  ");
}
