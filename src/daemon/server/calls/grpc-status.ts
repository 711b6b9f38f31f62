import type { ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";

/**
 * An error as the headers or trailers of gRPC and gRPC-Web.
 *
 * Connect encodes the message as a part of a URL, and clients such as @grpc/grpc-js leave `%3A` and `%2F` as they are. So only what
 * cannot stand in a header is encoded (Percent-Encoded of https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).
 */
export function grpcStatus(error: ConnectError): Headers {
  const headers = setTrailerStatus(new Headers(), error);
  headers.set("grpc-message", percentEncoded(error.rawMessage));
  return headers;
}

function percentEncoded(text: string): string {
  return Buffer.from(text, "utf8")
    .toString("latin1")
    .replace(/[^ -$&-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}
