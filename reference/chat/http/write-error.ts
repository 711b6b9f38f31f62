import type { ServerResponse } from "node:http";
import { errorEnvelope } from "../../../src/http/envelope-server.js";
import { writeJson } from "./write-json.js";

/** Answers a request with an error in the envelope. The code defaults to the generic `BAD_REQUEST`. */
export function writeError(
  response: ServerResponse,
  status: number,
  msg: string,
  { code, headers = {} }: { readonly code?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): void {
  const text = JSON.stringify(errorEnvelope(msg, code));
  writeJson(response, status, text, { "Content-Type": "application/json", ...headers });
}
