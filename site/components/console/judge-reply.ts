import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { codeFromString } from "@connectrpc/connect/protocol-connect";
import { parseJson } from "../../../src/base/parse-json.js";
import { type DaemonRpc, methodOf } from "../../../src/daemon/daemon-methods.js";
import { mediaType } from "../../../src/http/media-type.js";
import type { Judgement } from "./judge.js";
import type { Answer } from "./send.js";

/** Judges the response to a Connect call by the messages of the contract. */
export function judgeReply(rpc: string, { status, headers, text }: Answer): Judgement {
  const type = new Headers(headers.map(([name, value]): [string, string] => [name, value])).get("Content-Type");
  const json = parseJson(text);
  const problems = [
    ...(mediaType(type) === "application/json" ? [] : [`content type: expected application/json, got ${type}`]),
    ...(json === undefined ? ["body: expected JSON"] : status === 200 ? replyProblems(rpc, json) : errorProblems(json)),
  ];
  return problems.length === 0 ? { kind: "fits" } : { kind: "problems", problems };
}

function replyProblems(rpc: string, json: unknown): string[] {
  const { output } = methodOf(rpc as DaemonRpc);
  // The requirements leave the fields of such a message open.
  const isOpen = output.fields.length === 0;
  try {
    fromJson(output, json as JsonValue, { ignoreUnknownFields: isOpen });
    return [];
  } catch (error) {
    return [`body: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Lists the problems of an error (Connect protocol, unary responses with errors). */
function errorProblems(json: unknown): string[] {
  if (typeof json !== "object" || json === null) return ["body: expected an error with code and message"];
  const { code, message } = json as { readonly code?: unknown; readonly message?: unknown };
  const isCode = typeof code === "string" && codeFromString(code) !== undefined;
  return [
    ...(isCode ? [] : [`code: expected a code of Connect, got ${JSON.stringify(code)}`]),
    ...(message === undefined || typeof message === "string" ? [] : ["message: expected a text"]),
  ];
}
