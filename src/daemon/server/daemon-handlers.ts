import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { DaemonMethods } from "../../contract/daemon/rpcs.js";

/** What a handler knows about a call besides its message. */
export interface CallContext {
  /** Aborts when nobody waits for the reply any more: the caller has gone or canceled, or the deadline of the call has passed. */
  readonly signal: AbortSignal;
  /** The metadata of the call. */
  readonly requestHeader: Headers;
}

/**
 * Answers the calls of one RPC with the fields of the reply; those left out have their default.
 *
 * A `ConnectError`, such as one of `daemonError`, reaches the caller with its code, message, details and metadata, and without
 * the secrets of a URL that the request holds. Whatever else is thrown reaches the caller as code `internal` with a fixed text.
 */
export type CallHandler<Method extends DescMethodUnary> = (
  request: MessageShape<Method["input"]>,
  context: CallContext,
) => MessageInitShape<Method["output"]> | Promise<MessageInitShape<Method["output"]>>;

/** A daemon: a handler for each RPC of the contract, such as `selectNode`. */
export type DaemonHandlers = {
  readonly [Name in keyof DaemonMethods]: DaemonMethods[Name] extends DescMethodUnary
    ? CallHandler<DaemonMethods[Name]>
    : never;
};
