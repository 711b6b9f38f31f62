export * from "../../generated/daemon/contract.js";
export type { RpcNames } from "../contract/rpc/names.js";
export { redactUrl } from "../secrets/redact-url.js";
export type { CallContext, CallHandler } from "../server/rpc/call-handler.js";
export type { ListenAddress as DaemonServerAddress, RunningServer as DaemonServer } from "../server/running-server.js";
export {
  createDaemonClient,
  createInMemoryDaemonClient,
  type DaemonClient,
  type DaemonClientOptions,
  type DaemonProtocol,
} from "./create-daemon-client.js";
export {
  createDaemonServer,
  type DaemonCall,
  type DaemonCallObserver as CallObserver,
  type DaemonServerOptions,
} from "./create-daemon-server.js";
export { type DaemonFailure, daemonError, type SubscriptionFailure } from "./daemon-error.js";
export type { DaemonHandlers } from "./daemon-handlers.js";
export type { DaemonRpc } from "./daemon-methods.js";
export { redact, redactedJson } from "./redact.js";
export { createSubscriptionUrl, type SubscriptionUrl } from "./subscription-url.js";
