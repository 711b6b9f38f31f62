import type { DescMessage, JsonObject, Message } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { codeFromString, codeToHttpStatus } from "@connectrpc/connect/protocol-connect";
import { fullJson } from "../../contract/rpc/messages.js";
import { isSecretField } from "../../daemon/is-secret-field.js";
import { maskMessage } from "../../verify/rpc/report-mask.js";
import type { RecordedExchange, RecordedMessage } from "../recorded/recorded-exchange.js";
import type { ReadAnswer } from "./read-answer.js";
import type { ReadCall } from "./read-call.js";

/**
 * Returns a call in the form of the Connect protocol with JSON, whatever protocol it was made with, because a recording holds text. Masks
 * the URL of the request. A message that cannot be read is omitted, because it cannot be searched for secrets.
 */
export function recordedAsJson({ recorded, destination, request, answer }: ReadCall): RecordedExchange {
  const { response, request: sent, ...rest } = recorded;
  const message =
    destination.kind === "rpc" && request?.kind === "message"
      ? maskedRequest(destination.method.method.input, request.message)
      : undefined;
  return {
    ...rest,
    request: { method: sent.method, target: sent.target, ...(message === undefined ? unread(sent) : read(message)) },
    ...(response === undefined ? {} : { response: answerOf(response, message === undefined ? undefined : answer) }),
  };
}

function maskedRequest(input: DescMessage, message: Message): JsonObject {
  return maskMessage(input, fullJson(input, message), isSecretField);
}

function answerOf(
  response: NonNullable<RecordedExchange["response"]>,
  answer: ReadAnswer | undefined,
): NonNullable<RecordedExchange["response"]> {
  switch (answer?.kind) {
    case "reply":
      return { status: 200, ...read(answer.answer.reply) };
    case "error": {
      const { code, message } = answer.answer;
      return { status: codeToHttpStatus(codeFromString(code) ?? Code.Unknown), ...read({ code, message }) };
    }
    case "fault":
    case "unread":
    case undefined:
      return { status: response.status, ...unread(response) };
  }
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
