import { Code, ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";

/** The largest request, in bytes: gRPC's own default. */
export const largestRequest = 4 * 1024 * 1024;

/** What is wrong with a call that no handler gets to see. The texts are fixed, so they quote nothing of the request. */
export type Refusal =
  | "not-valid"
  | "too-large"
  | "not-one-message"
  | "truncated"
  | "bad-flag"
  | "bad-timeout"
  | "not-supported";

/** Makes the error of a call that is refused before a handler sees it; `message` is the name of the message that was expected. */
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

/** The caller has gone, or has canceled the call. */
export function canceled(): ConnectError {
  return new ConnectError("The call was canceled", Code.Canceled);
}

/** The time that the caller gave the call is over. */
export function deadlineExceeded(): ConnectError {
  return new ConnectError("The deadline of the call has passed", Code.DeadlineExceeded);
}

/** Something is wrong inside the daemon, which is nothing of the caller's concern. */
export function internal(): ConnectError {
  return new ConnectError("The daemon failed", Code.Internal);
}

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
