import { Code, ConnectError } from "@connectrpc/connect";

/** Maximum size of a request in bytes, which is gRPC's default. */
export const maxRequestBytes = 4 * 1024 * 1024;

/**
 * Makes the error of a call that Connect refuses with a code before it reaches its handler. The message is fixed, because that of Connect
 * quotes the data that it cannot parse. `requestName` is the name of the expected message.
 */
export function refusal(code: Code, requestName: string): ConnectError {
  switch (code) {
    case Code.ResourceExhausted:
      return new ConnectError("The request is larger than 4 MiB", code);
    case Code.Unimplemented:
      return new ConnectError("The request is not exactly one message in a known compression", code);
    default:
      return new ConnectError(`The request is not a valid ${requestName}`, Code.InvalidArgument);
  }
}

/** A request has more values than are decoded. */
export function tooManyValues(): ConnectError {
  return new ConnectError("The request has too many values", Code.ResourceExhausted);
}

/** The timeout in the headers of a call cannot be read. */
export function malformedTimeout(): ConnectError {
  return new ConnectError("The timeout of the request is malformed", Code.InvalidArgument);
}

/** The server failed; the caller learns no details. */
export function internal(): ConnectError {
  return new ConnectError("The server failed", Code.Internal);
}

/** The error of a call whose signal has aborted. */
export function abortError({ reason }: AbortSignal): ConnectError {
  return reason instanceof ConnectError && reason.code === Code.DeadlineExceeded
    ? new ConnectError("The deadline of the call has passed", Code.DeadlineExceeded)
    : new ConnectError("The call was cancelled", Code.Canceled);
}
