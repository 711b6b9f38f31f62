import {
  compressedFlag,
  compressionNegotiate,
  createAsyncIterable,
  encodeEnvelope,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import {
  headerUnaryAcceptEncoding as acceptEncoding,
  headerUnaryEncoding as contentEncoding,
  headerUnaryContentLength as contentLength,
} from "@connectrpc/connect/protocol-connect";
import { headerEncoding as grpcEncoding } from "@connectrpc/connect/protocol-grpc";
import { compressionGzip } from "@connectrpc/connect-node";
import type { DaemonProtocol } from "../../create-daemon-client.js";

/**
 * Puts the bytes of a reply in place of the empty message that Connect made a response of. They are compressed when the client takes
 * gzip; a reply of many megabytes in brotli would take half a minute.
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
  // What is not compressed may stand under any name of a compression, because each message has a flag.
  const zips = header.get(grpcEncoding) === compressionGzip.name;
  const message = zips
    ? encodeEnvelope(compressedFlag, await compressionGzip.compress(reply))
    : encodeEnvelope(0, reply);
  return { ...response, body: withFirst(message, response.body ?? createAsyncIterable([])) };
}

/** Each chunk of Connect is a message or the trailers. */
async function* withFirst(first: Uint8Array, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    yield isFirst ? first : chunk;
    isFirst = false;
  }
}
