// Written by `npm run generate` from the services in proto/. Not to be edited.
import { MeshControlService } from "./proxydaemon/v1/mesh_control_pb.js";
import { ProxySubscriptions } from "./proxydaemon/v1/proxy_subscriptions_pb.js";

export * from "./proxydaemon/v1/mesh_control_pb.js";
export * from "./proxydaemon/v1/network_pb.js";
export * from "./proxydaemon/v1/proxy_subscriptions_pb.js";
export * from "./proxydaemon/v1/secret_pb.js";

/** The services of the contract by name. */
export const services = { MeshControlService, ProxySubscriptions } as const;

