import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { MeshControlService } from "../../../generated/daemon/daemon/v1/mesh_control_pb.js";
import type { ProxySubscriptions } from "../../../generated/daemon/daemon/v1/proxy_subscriptions_pb.js";

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

type Subscriptions = (typeof ProxySubscriptions)["method"];
type Mesh = (typeof MeshControlService)["method"];

/** A daemon: a handler for each RPC of the contract. */
export interface DaemonHandlers {
  /** Previews the import of the proxy subscription at a URL. */
  readonly previewImport: CallHandler<Subscriptions["previewImport"]>;
  /** Applies the import of the proxy subscription at a URL to a network record. */
  readonly applyImport: CallHandler<Subscriptions["applyImport"]>;
  /** Selects which node of an imported subscription is active. */
  readonly selectNode: CallHandler<Subscriptions["selectNode"]>;
  /** Cancels a login to the mesh network. */
  readonly loginCancel: CallHandler<Mesh["loginCancel"]>;
}
