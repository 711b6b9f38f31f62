import { Code, type ConnectError } from "@connectrpc/connect";
import {
  compressedFlag,
  compressionNegotiate,
  createAsyncIterable,
  encodeEnvelope,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import {
  headerUnaryAcceptEncoding as acceptEncoding,
  codeToHttpStatus,
  headerUnaryEncoding as contentEncoding,
  headerUnaryContentLength as contentLength,
  contentTypeUnaryJson,
  errorToJsonBytes,
} from "@connectrpc/connect/protocol-connect";
import { headerEncoding as grpcEncoding } from "@connectrpc/connect/protocol-grpc";
import { trailerFlag, trailerSerialize } from "@connectrpc/connect/protocol-grpc-web";
import { compressionGzip } from "@connectrpc/connect-node";
import type { DaemonProtocol } from "../../create-daemon-client.js";
import { grpcStatus } from "../calls/call-errors.js";

/** Makes the response of a unary call that fails. `contentType` is that of the request. */
export function errorResponse(
  protocol: DaemonProtocol,
  contentType: string,
  error: ConnectError,
): UniversalServerResponse {
  const header = new Headers({ "content-type": protocol === "connect" ? contentTypeUnaryJson : contentType });
  switch (protocol) {
    case "connect": {
      const body = createAsyncIterable([errorToJsonBytes(error, undefined)]);
      return { status: codeToHttpStatus(error.code), header, body };
    }
    case "grpc":
      return { status: 200, header, trailer: grpcStatus(error) };
    case "grpc-web": {
      const trailer = trailerSerialize(grpcStatus(error));
      return { status: 200, header, body: createAsyncIterable([encodeEnvelope(trailerFlag, trailer)]) };
    }
  }
}

/** A response, and its error code, which is undefined for success. */
export interface ReadResponse {
  readonly response: UniversalServerResponse;
  readonly code: Code | undefined;
}

/** Reads the error code of a unary response. For Connect, only codes in `distinguishableCodes` are exact. */
export async function readResponse(protocol: DaemonProtocol, response: UniversalServerResponse): Promise<ReadResponse> {
  switch (protocol) {
    case "connect":
      return { response, code: response.status === 200 ? undefined : codeOfStatus(response.status) };
    case "grpc":
      return { response, code: codeOf(response.trailer?.get("grpc-status")) };
    case "grpc-web": {
      const chunks = response.body?.[Symbol.asyncIterator]();
      const first = await chunks?.next();
      if (chunks === undefined || first === undefined || first.done === true) return { response, code: Code.Unknown };
      const [flag = 0] = first.value;
      if ((flag & trailerFlag) === 0)
        return { response: { ...response, body: resumed(first.value, chunks) }, code: undefined };
      // A compressed trailer has no such line.
      return { response, code: codeOf(/grpc-status: *(\d+)/i.exec(Buffer.from(first.value).toString("latin1"))?.[1]) };
    }
  }
}

const distinguishableCodes = [Code.ResourceExhausted, Code.Unimplemented, Code.Canceled, Code.DeadlineExceeded];

function codeOfStatus(status: number): Code {
  return distinguishableCodes.find((code) => codeToHttpStatus(code) === status) ?? Code.Unknown;
}

function codeOf(status: string | null | undefined): Code | undefined {
  return status === "0" ? undefined : Number(status ?? Code.Unknown);
}

async function* resumed(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/**
 * Replaces the empty message in a response of Connect with the bytes of a reply. Compresses them if the client accepts gzip; brotli
 * would take half a minute for many megabytes.
 */
export async function withLongReply(
  protocol: DaemonProtocol,
  requestHeader: Headers,
  response: UniversalServerResponse,
  reply: Uint8Array,
): Promise<UniversalServerResponse> {
  const header = new Headers(response.header);
  if (protocol === "connect") {
    const [sent, taken] = [requestHeader.get(contentEncoding), requestHeader.get(acceptEncoding)];
    const compression = compressionNegotiate([compressionGzip], sent, taken, acceptEncoding).response;
    if (compression !== null) header.set(contentEncoding, compression.name);
    const body = (await compression?.compress(reply)) ?? reply;
    header.set(contentLength, String(body.length));
    return { ...response, header, body: createAsyncIterable([body]) };
  }
  // Any encoding header allows an uncompressed message, because each message has a flag.
  const zips = header.get(grpcEncoding) === compressionGzip.name;
  const message = zips
    ? encodeEnvelope(compressedFlag, await compressionGzip.compress(reply))
    : encodeEnvelope(0, reply);
  return { ...response, body: withFirst(message, response.body ?? createAsyncIterable([])) };
}

/** Replaces the first chunk. Each chunk of Connect is a message or the trailers. */
async function* withFirst(first: Uint8Array, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    yield isFirst ? first : chunk;
    isFirst = false;
  }
}
