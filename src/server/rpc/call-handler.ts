import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

/** The context of a call: everything but its message. */
export interface CallContext {
  /** Aborts when the caller disconnects or cancels, or when the deadline of the call passes. */
  readonly signal: AbortSignal;
  /** The metadata of the call. */
  readonly requestHeader: Headers;
}

/**
 * Handles the calls to one RPC. Returns the fields of the reply; omitted fields have their default.
 *
 * The caller receives the code, message, details and metadata of a thrown `ConnectError`, without the
 * secrets of URLs in the request. For any other error the caller receives code `internal` with a fixed message.
 */
export type CallHandler<Method extends DescMethodUnary> = (
  request: MessageShape<Method["input"]>,
  context: CallContext,
) => MessageInitShape<Method["output"]> | Promise<MessageInitShape<Method["output"]>>;
