export type { CallContext, CallHandler } from "../../server/rpc/call-handler.js";
export type { CallObserver, FinishedCall } from "../../server/rpc/call-reports.js";
export type { ListenAddress, RunningServer } from "../../server/running-server.js";
export type { RpcProtocol, RpcTransportOptions } from "../../wire/rpc-transport.js";
export { createInMemoryRpcClient, createRpcClient, type RpcClient } from "./client.js";
export { createRedaction, type Redaction } from "./redact.js";
export { createRpcServer, type RpcServerOptions } from "./server.js";
export type { Handlers, RpcOf, Services } from "./services.js";
