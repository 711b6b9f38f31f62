import type { JsonObject } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { codeFromString, codeToHttpStatus } from "@connectrpc/connect/protocol-connect";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { maskMessage } from "../../verify/rpc/report-mask.js";
import type { RecordedExchange, RecordedMessage } from "../recorded/recorded-exchange.js";
import type { ReadCall } from "./read-call.js";

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
