import { Code, ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";

/** Maximum size of a request in bytes, which is gRPC's default. */
export const maxRequestBytes = 4 * 1024 * 1024;

/** The reasons why a call is refused before it reaches a handler. Their messages are fixed and quote nothing of the request. */
export type Refusal =
  | "not-valid"
  | "too-large"
  | "not-one-message"
  | "truncated"
  | "bad-flag"
  | "bad-timeout"
  | "not-supported";

/** Makes the error of a refused call. `message` is the name of the expected message. */
export function refusal(kind: Refusal, message: string): ConnectError {
  switch (kind) {
    case "not-valid":
      return new ConnectError(`The request is not a valid ${message}`, Code.InvalidArgument);
    case "too-large":
      return new ConnectError("The request is larger than 4 MiB", Code.ResourceExhausted);
    case "not-one-message":
      return new ConnectError("The request does not have exactly one message", Code.Unimplemented);
    case "truncated":
      return new ConnectError("The request ends within a message", Code.InvalidArgument);
    case "bad-flag":
      return new ConnectError(
        "The message of the request is marked as compressed, or in an unknown way",
        Code.Internal,
      );
    case "bad-timeout":
      return new ConnectError("The timeout of the request is malformed", Code.InvalidArgument);
    case "not-supported":
      return new ConnectError("The request is not exactly one message in a known compression", Code.Unimplemented);
  }
}

/** The caller has disconnected, or has cancelled the call. */
export function canceled(): ConnectError {
  return new ConnectError("The call was cancelled", Code.Canceled);
}

/** The deadline of the call has passed. */
export function deadlineExceeded(): ConnectError {
  return new ConnectError("The deadline of the call has passed", Code.DeadlineExceeded);
}

/** The daemon failed; the caller learns no details. */
export function internal(): ConnectError {
  return new ConnectError("The daemon failed", Code.Internal);
}

/**
 * The headers or trailers of an error in gRPC and gRPC-Web.
 *
 * Connect encodes the message like a URL component, but clients such as @grpc/grpc-js do not decode `%3A` and `%2F`. So this encodes
 * only characters that headers cannot contain (Percent-Encoded of https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).
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
