import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { connectNodeAdapter } from "@connectrpc/connect-node";
import type { ImportSubscription } from "../../../reference/daemon/import/import-subscription.js";
import type { Services } from "../../../reference/daemon/services.js";
import type { DaemonProtocol, MeshControlService, ProxySubscriptions } from "../../../src/daemon/index.js";

/** The handlers of all RPCs. */
export type Handlers = ServiceImpl<typeof ProxySubscriptions> & ServiceImpl<typeof MeshControlService>;

/** Answers HTTP requests, of either version. */
export type Listener = ReturnType<typeof connectNodeAdapter>;

/** Writes a line into the log of the daemon. */
export type Log = (line: string) => void;

/** In what a daemon differs from the reference. Whatever is left out is as there. */
export interface DaemonBehaviour {
  /** How it is called. Defaults to `grpc`. */
  readonly protocol?: DaemonProtocol;
  /** Changes the contract that it was built from, in place. */
  readonly contract?: (subscriptions: FileDescriptorProto, mesh: FileDescriptorProto) => void;
  /** Fetches and reads subscriptions, for previews and imports alike. */
  readonly imports?: (honest: ImportSubscription) => ImportSubscription;
  /** Makes its handlers; those that are left out are missing. The services hold what the daemon has stored. */
  readonly handlers?: (honest: Handlers, log: Log, services: Services) => Partial<Handlers>;
  /** Stands before its RPCs. */
  readonly listener?: (honest: Listener) => Listener;
  /** How long it waits for a subscription, in milliseconds. Defaults to 10 seconds. */
  readonly fetchTimeoutMs?: number;
  /** How long the verification waits for an answer, in milliseconds. Defaults to 30 seconds. */
  readonly callTimeoutMs?: number;
}
