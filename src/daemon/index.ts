export * from "../../generated/daemon/contract.js";
export { redactUrl } from "../secrets/redact-url.js";
export {
  createDaemonClient,
  type DaemonClientOptions,
  type DaemonProtocol,
} from "./create-daemon-client.js";
export { createInMemoryDaemonClient } from "./create-in-memory-daemon-client.js";
export { type DaemonFailure, daemonError, type SubscriptionFailure } from "./daemon-error.js";
export type { DaemonRpc } from "./daemon-methods.js";
export { redact, redactedJson } from "./redact.js";
export type { CallObserver, DaemonCall } from "./server/calls/daemon-call.js";
export { createDaemonServer, type DaemonServerOptions } from "./server/create-daemon-server.js";
export type { CallContext, CallHandler, DaemonHandlers } from "./server/daemon-handlers.js";
export type { DaemonServer, DaemonServerAddress } from "./server/daemon-server.js";
export type { DaemonClient } from "./service-clients.js";
export type { ServiceNames } from "./service-names.js";
export { createSubscriptionUrl, type SubscriptionUrl } from "./subscription-url.js";
