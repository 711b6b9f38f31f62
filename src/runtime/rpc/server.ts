import type { DescFile } from "@bufbuild/protobuf";
import type { CallObserver } from "../../server/rpc/call-reports.js";
import { createRpcServer as listen } from "../../server/rpc/create-rpc-server.js";
import type { ListenAddress, RunningServer } from "../../server/running-server.js";
import { type Handlers, type RpcOf, routesOf, type Services, shortName } from "./services.js";

/** The handlers, addresses and observer of a server. */
export interface RpcServerOptions<Group extends Services> extends ListenAddress, CallObserver<RpcOf<Group>> {
  /** Handle the calls of all protocols. */
  readonly handlers: Handlers<Group>;
  /** Files besides those of the services whose types server reflection describes. Defaults to none. */
  readonly files?: readonly DescFile[];
}

/**
 * Serves unary RPCs over gRPC, gRPC-Web and Connect on every address, along with server reflection and the standard health
 * service. A request may be at most 4 MiB and take at most one minute; at most 1,000 connections may be open at an address, and idle
 * ones are closed after five minutes. Refuses web pages unless they come from this machine.
 *
 * Rejects with a `ListenError` if it cannot listen on an address.
 */
export async function createRpcServer<Group extends Services>(
  services: Group,
  { handlers, files = [], ...options }: RpcServerOptions<Group>,
): Promise<RunningServer> {
  const byService: Readonly<Record<string, object>> = handlers;
  return listen({
    // All its calls are those of the routes.
    ...(options as ListenAddress & CallObserver),
    routes: routesOf(services, (service) => byService[shortName(service)]),
    files: [...Object.values(services).map(({ file }) => file), ...files],
  });
}
