import type { DescMethodUnary, JsonValue, Registry } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeFromString, codeToString, errorFromJson, trailerDemux } from "@connectrpc/connect/protocol-connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { trailerFlag, trailerParse } from "@connectrpc/connect/protocol-grpc-web";
import { parseBoundedJson } from "../../base/parse-json.js";
import { detailOf, type MetadataEntry, type RpcAnswer } from "../../judge/rpc/answer.js";
import { decompress, type Read, type Unreadable } from "../recorded/decompress.js";
import type { RecordedMessage } from "../recorded/recorded-exchange.js";
import { type DecodedMessage, decodeMessage } from "./decode-message.js";
import {
  type CallFraming,
  type Codec,
  formOf,
  type MessageFrame,
  plainBody,
  readFrames,
  readOnlyMessage,
} from "./framing.js";

type Response = RecordedMessage & { readonly status: number };
type Reply = Extract<RpcAnswer, { readonly kind: "reply" }>;
type ErrorAnswer = Extract<RpcAnswer, { readonly kind: "error" }>;

/** The content of a response. */
export type ReadAnswer =
  | { readonly kind: "reply"; readonly decoded: DecodedMessage; readonly answer: Reply }
  | { readonly kind: "error"; readonly answer: ErrorAnswer }
  /** A response that breaks the protocol, or whose message is not that of the RPC. */
  | { readonly kind: "fault"; readonly at: "protocol" | "message"; readonly problem: string }
  | { readonly kind: "unread"; readonly reason: string };

/** Reads the response to a call to an RPC. Problems quote nothing of it but its status and content type. */
export function readAnswer(
  { output }: DescMethodUnary,
  call: CallFraming,
  response: Response,
  registry: Registry,
): ReadAnswer {
  const { status, headers, body } = response;
  if (body === undefined) return { kind: "unread", reason: "a response that is too large" };
  const type = headers["content-type"];
  const form = formOf(type);
  const shown = `status ${status} with the content type ${/^[\w.+-]+\/[\w.+-]+/.exec(type ?? "")?.[0] ?? "none"}`;
  const readReply: ReadReply = (bytes, codec, metadata) => {
    const decoded = decodeMessage(output, bytes, codec, registry);
    if (decoded.kind !== "message") return unreadable(decoded, "message");
    // The bytes of JSON, too, hold unknown fields, which the decoded message lacks.
    return { kind: "reply", decoded, answer: { kind: "reply", reply: decoded.json, bytes, metadata } };
  };
  if (call.protocol === "connect") return readConnect(readReply, { response, body, form, shown });
  if (status !== 200 || form?.protocol !== call.protocol)
    return protocolFault(`expected status 200 with a content type of ${call.protocol}, got ${shown}`);
  const frames = readFrames(plainBody(body, form));
  if (frames.kind !== "read") return unreadable(frames, "protocol");
  const { messages, trailers } = call.protocol === "grpc" ? splitGrpc(response, frames.value) : splitWeb(frames.value);
  const end = trailers ?? new Headers(Object.entries(headers));
  return readStatus(readReply, { messages, end, codec: form.codec, headers });
}

type ReadReply = (bytes: Uint8Array, codec: Codec, metadata: readonly MetadataEntry[]) => ReadAnswer;

function splitGrpc({ trailers }: Response, messages: readonly MessageFrame[]) {
  return { messages, trailers: trailers === undefined ? undefined : new Headers(Object.entries(trailers)) };
}

function splitWeb(frames: readonly MessageFrame[]) {
  const last = frames.at(-1);
  const isTrailer = last !== undefined && (last.flags & trailerFlag) !== 0;
  if (!isTrailer) return { messages: frames, trailers: undefined };
  const trailers = parsedTrailers(last.data);
  const messages = frames.slice(0, -1);
  // Beside a trailer frame without a status, some servers send the status of an error in the headers.
  const isInHeaders = messages.length === 0 && !trailers.has("grpc-status");
  return { messages, trailers: isInHeaders ? undefined : trailers };
}

/** Parses trailers. Malformed ones become empty, so that they have no status. */
function parsedTrailers(data: Uint8Array): Headers {
  try {
    return trailerParse(data);
  } catch {
    return new Headers();
  }
}

interface Ended {
  readonly messages: readonly MessageFrame[];
  readonly end: Headers;
  readonly codec: Codec;
  readonly headers: Readonly<Record<string, string>>;
}

function readStatus(readReply: ReadReply, { messages, end, codec, headers }: Ended): ReadAnswer {
  const status = end.get("grpc-status");
  const metadata: MetadataEntry[] = [...Object.entries(headers), ...end];
  if (status === null) return protocolFault("the response has no grpc-status");
  const code = Number(status);
  if (!/^\d+$/.test(status) || (code !== 0 && Code[code] === undefined))
    return protocolFault("grpc-status is not a number from 0 to 16");
  if (code !== 0) {
    const error = trailerError(end);
    if (error === undefined) return protocolFault("grpc-message or grpc-status-details-bin is malformed");
    return { kind: "error", answer: errorAnswer(error, codeToString(code), metadata) };
  }
  const message = readOnlyMessage(messages, headers["grpc-encoding"]);
  return message.kind === "read" ? readReply(message.value, codec, metadata) : unreadable(message, "protocol");
}

/** Returns the error in trailers; undefined if they have none, or one with malformed details or a malformed message. */
function trailerError(end: Headers): ConnectError | undefined {
  try {
    return findTrailerError(end);
  } catch {
    return undefined;
  }
}

function readConnect(
  readReply: ReadReply,
  parts: {
    readonly response: Response;
    readonly body: Uint8Array;
    readonly form: CallFraming | undefined;
    readonly shown: string;
  },
): ReadAnswer {
  const { response, body, form, shown } = parts;
  const content: Read<Uint8Array> = decompress(body, response.headers["content-encoding"]);
  if (content.kind !== "read") return unreadable(content, "protocol");
  const [headers, trailers] = trailerDemux(new Headers(Object.entries(response.headers)));
  const metadata: MetadataEntry[] = [...headers, ...trailers];
  if (form?.protocol !== "connect") return protocolFault(`expected a message or an error in JSON, got ${shown}`);
  if (response.status === 200) return readReply(content.value, form.codec, metadata);
  const json: unknown =
    form.codec === "json" ? parseBoundedJson(Buffer.from(content.value).toString("utf8")) : undefined;
  const code = typeof json === "object" && json !== null ? Reflect.get(json, "code") : undefined;
  if (typeof code !== "string" || codeFromString(code) === undefined)
    return protocolFault(`expected an error in JSON with a code of Connect, got ${shown}`);
  try {
    const error = errorFromJson(json as JsonValue, undefined, new ConnectError("not an error"));
    return { kind: "error", answer: errorAnswer(error, code, metadata) };
  } catch {
    return protocolFault("the error in JSON has a malformed message or malformed details");
  }
}

function errorAnswer(
  { rawMessage, details }: ConnectError,
  code: string,
  metadata: readonly MetadataEntry[],
): ErrorAnswer {
  const shown = details.flatMap((detail) => ("desc" in detail ? [] : [detailOf(detail)]));
  return { kind: "error", code, message: rawMessage, details: shown, metadata };
}

function protocolFault(problem: string): ReadAnswer {
  return { kind: "fault", at: "protocol", problem };
}

function unreadable(found: Unreadable, at: "protocol" | "message"): ReadAnswer {
  return found.kind === "unread" ? found : { ...found, at };
}
