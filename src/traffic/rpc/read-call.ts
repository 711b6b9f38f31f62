import type { Registry } from "@bufbuild/protobuf";
import type { RpcMethod } from "../../contract/rpc/contract.js";
import { decompress, type Read, type Unreadable } from "../recorded/decompress.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { type CallForm, formOf } from "./call-form.js";
import { type DecodedMessage, decodeMessage } from "./decode-message.js";
import { plainBody, readFrames, readOnlyMessage } from "./message-frames.js";
import { type ReadAnswer, readAnswer } from "./read-answer.js";
import type { Destination, RouteCall } from "./route-call.js";

/** An exchange, decoded according to the contract. */
export interface ReadCall {
  readonly recorded: RecordedExchange;
  readonly destination: Destination;
  /** Undefined if the content type names no protocol. */
  readonly form: CallForm | undefined;
  /** The request. Undefined unless it has a form and leads to an RPC of the contract. */
  readonly request?: DecodedMessage | (Unreadable & { readonly at: "framing" | "message" });
  /** The response. Undefined unless it is whole and the call has a form. */
  readonly answer?: ReadAnswer;
}

/** Reads an exchange. */
export function readCall(recorded: RecordedExchange, route: RouteCall, registry: Registry): ReadCall {
  const { request, response, interruption } = recorded;
  const { method, target, headers } = request;
  const destination = route(method, target);
  const form = formOf(headers["content-type"]);
  const call = { recorded, destination, form };
  if (destination.kind !== "rpc" || form === undefined) return call;
  const isWhole = response !== undefined && interruption === undefined;
  return {
    ...call,
    request: readRequest(recorded, destination.method, form, registry),
    ...(isWhole ? { answer: readAnswer(destination.method.method, form, response, registry) } : {}),
  };
}

function readRequest(
  { request, interruption }: RecordedExchange,
  { method }: RpcMethod,
  form: CallForm,
  registry: Registry,
): NonNullable<ReadCall["request"]> {
  const { body, headers } = request;
  if (body === undefined)
    return { kind: "unread", reason: "it is too large, or the server did not read it as a whole", at: "framing" };
  const bytes = readPayload(body, headers, form);
  if (bytes.kind === "fault" && interruption !== undefined)
    return { kind: "unread", reason: interruption, at: "framing" };
  if (bytes.kind !== "read") return { ...bytes, at: "framing" };
  const decoded = decodeMessage(method.input, bytes.value, form.codec, registry);
  return decoded.kind === "message" ? decoded : { ...decoded, at: "message" };
}

function readPayload(body: Uint8Array, headers: Readonly<Record<string, string>>, form: CallForm): Read<Uint8Array> {
  if (form.protocol === "connect") return decompress(body, headers["content-encoding"]);
  const frames = readFrames(plainBody(body, form));
  return frames.kind === "read" ? readOnlyMessage(frames.value, headers["grpc-encoding"]) : frames;
}
