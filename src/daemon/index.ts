export * from "../../generated/daemon/daemon/v1/mesh_control_pb.js";
export * from "../../generated/daemon/daemon/v1/network_pb.js";
export * from "../../generated/daemon/daemon/v1/proxy_subscriptions_pb.js";
export {
  createDaemonClient,
  type DaemonClient,
  type DaemonClientOptions,
  type DaemonProtocol,
} from "./create-daemon-client.js";
export { redact, redactedJson } from "./redact.js";
export { redactUrl } from "./redact-url.js";
