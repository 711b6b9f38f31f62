import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { connectNodeAdapter } from "@connectrpc/connect-node";
import type { ImportSubscription } from "../../../reference/daemon/import/import-subscription.js";
import type { Services } from "../../../reference/daemon/services.js";
import type { DaemonProtocol, MeshControlService, ProxySubscriptions, RpcNames } from "../../../src/daemon/index.js";

/** The handlers of all RPCs. */
export type Handlers = ServiceImpl<typeof ProxySubscriptions> & ServiceImpl<typeof MeshControlService>;

/** Handles HTTP/1.1 and HTTP/2 requests. */
export type Listener = ReturnType<typeof connectNodeAdapter>;

/** Writes a line into the log of the daemon. */
export type Log = (line: string) => void;

/** How a daemon differs from the reference. Omitted fields leave it unchanged. */
export interface DaemonBehaviour {
  /** The protocol of the verification. Defaults to `grpc`. */
  readonly protocol?: DaemonProtocol;
  /** Changes, in place, the contract from which the daemon is built. */
  readonly contract?: (subscriptions: FileDescriptorProto, mesh: FileDescriptorProto) => void;
  /** The names of the services, which are passed to the verification. Defaults to those of the contract. */
  readonly names?: RpcNames;
  /** Fetches and reads subscriptions, for previews and imports alike. */
  readonly imports?: (honest: ImportSubscription) => ImportSubscription;
  /** Creates the handlers. Omitted ones are unimplemented. The services hold what the daemon has stored. */
  readonly handlers?: (honest: Handlers, log: Log, services: Services) => Partial<Handlers>;
  /** Wraps the HTTP listener of the RPCs. */
  readonly listener?: (honest: Listener) => Listener;
  /** Timeout of a fetch, in milliseconds. Defaults to 10 seconds. */
  readonly fetchTimeoutMs?: number;
  /** Timeout of a call of the verification, in milliseconds. Defaults to 30 seconds. */
  readonly callTimeoutMs?: number;
}
