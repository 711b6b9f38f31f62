import type { JsonObject } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { codeFromString, codeToHttpStatus } from "@connectrpc/connect/protocol-connect";
import { shellWord } from "../../base/shell-word.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { excerpt, type Mask } from "../../judge/excerpt.js";
import { answerLines } from "../../judge/rpc/describe-call.js";
import { bufCurlLine, type RepeatedTarget } from "../../judge/rpc/repeat-command.js";
import { maskMessage } from "../../judge/rpc/report-mask.js";
import type { ReportedExchange } from "../../report/model/check-result.js";
import { parseRpcAddress } from "../../wire/rpc-address.js";
import type { RecordedExchange, RecordedMessage } from "../recorded/recorded-exchange.js";
import type { ReadCall } from "./read-call.js";

/** Request headers that describe how the call is made. All others may hold credentials. */
const shownHeaders: ReadonlySet<string> = new Set([
  "content-type",
  "content-encoding",
  "te",
  "grpc-encoding",
  "grpc-timeout",
  "connect-protocol-version",
  "connect-timeout-ms",
]);

const maxHeaderLength = 200;
const maxPartLength = 4_000;

/** Where a call went. */
export type CallTarget = Omit<RepeatedTarget, "protocol">;

/**
 * Renders a call as readable text, with secrets masked. Shows the content of a response only if the request was decoded,
 * because only then are its secrets known.
 */
export function describeCall(call: ReadCall, target: CallTarget, mask: Mask): ReportedExchange {
  const { recorded, destination, request } = call;
  const path = destination.kind === "unknown" ? destination.name : recorded.request.target.slice(1).split("?", 1)[0];
  const headers = Object.entries(recorded.request.headers).flatMap(([name, value]) =>
    shownHeaders.has(name) ? `${name}: ${excerpt(value, maxHeaderLength, mask)}` : [],
  );
  const { isSecret } = target.contract;
  const body =
    destination.kind === "rpc" && request?.kind === "message"
      ? JSON.stringify(maskMessage(destination.method.method.input, request.json, isSecret), null, 2)
      : `(${recorded.request.bodyBytes} bytes)`;
  const response = responseText(call, isSecret, mask);
  return {
    command: commandOf(call, target),
    request: excerpt(
      [`${recorded.request.method.slice(0, 20)} ${path}`, ...headers, "", body].join("\n"),
      maxPartLength,
      mask,
    ),
    response,
  };
}

function responseText(
  { recorded, destination, request, answer }: ReadCall,
  isSecret: RpcContract["isSecret"],
  mask: Mask,
): string | undefined {
  const { response } = recorded;
  if (response === undefined) return undefined;
  const isKnown = request?.kind === "message" && (answer?.kind === "reply" || answer?.kind === "error");
  if (!isKnown || destination.kind !== "rpc") return `status ${response.status}, ${response.bodyBytes} bytes`;
  const { output } = destination.method.method;
  const shown =
    answer.kind === "reply"
      ? { ...answer.answer, reply: maskMessage(output, answer.answer.reply, isSecret) }
      : answer.answer;
  return answerLines(shown, mask)?.join("\n");
}

function commandOf({ destination, form, request }: ReadCall, target: CallTarget): string {
  if (destination.kind === "rpc" && form !== undefined && request?.kind === "message") {
    return bufCurlLine({ ...target, rpc: destination.method.rpc, protocol: form.protocol, request: request.json });
  }
  const where = parseRpcAddress(target.address);
  const socket = where.kind === "socket" ? ["--unix-socket", where.path] : [];
  const origin = where.kind === "socket" ? "http://localhost" : where.origin;
  return ["buf", "curl", ...socket, "--list-methods", origin].map(shellWord).join(" ");
}

type Response = NonNullable<RecordedExchange["response"]>;

/**
 * Returns a call in the form of the Connect protocol with JSON, whatever protocol it was made with, because a recording holds text. Masks
 * secrets. A message that cannot be read is omitted, because it cannot be searched for secrets.
 */
export function recordedAsJson(
  { recorded, destination, request, answer }: ReadCall,
  { isSecret }: RpcContract,
): RecordedExchange {
  const { response, request: sent, ...rest } = recorded;
  const head = { method: sent.method, target: sent.target };
  if (destination.kind !== "rpc" || request?.kind !== "message")
    return { ...rest, request: { ...head, ...unread(sent) }, ...(response && { response: unreadAnswer(response) }) };
  const { input, output } = destination.method.method;
  return {
    ...rest,
    request: { ...head, ...read(maskMessage(input, request.json, isSecret)) },
    ...(response && { response: answerOf(response) }),
  };

  function answerOf(given: Response): Response {
    switch (answer?.kind) {
      case "reply":
        return { status: 200, ...read(maskMessage(output, answer.answer.reply, isSecret)) };
      case "error": {
        const { code, message } = answer.answer;
        return { status: codeToHttpStatus(codeFromString(code) ?? Code.Unknown), ...read({ code, message }) };
      }
      case "fault":
      case "unread":
      case undefined:
        return unreadAnswer(given);
    }
  }
}

function unreadAnswer(response: Response): Response {
  return { status: response.status, ...unread(response) };
}

function read(json: JsonObject): RecordedMessage {
  const body = Buffer.from(JSON.stringify(json));
  const headers = { "content-type": "application/json", "connect-protocol-version": "1" };
  return { headers, body, bodyBytes: body.length };
}

function unread({ headers, bodyBytes }: RecordedMessage): RecordedMessage {
  const type = headers["content-type"];
  return { headers: type === undefined ? {} : { "content-type": type }, body: undefined, bodyBytes };
}
