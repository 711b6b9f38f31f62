import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import {
  Health,
  type HealthCheckRequest,
  HealthCheckResponse_ServingStatus as Status,
} from "../../../generated/grpc/health/v1/health_pb.js";
import { addRpcs } from "./add-rpcs.js";
import { createCallReports } from "./call-reports.js";
import type { RpcRoute } from "./rpc-server-options.js";

/**
 * Adds the standard health service, whose unary RPCs are supervised like others. All services of the router, and "" for the whole daemon, report SERVING until `closing` aborts.
 */
export function addHealth(router: ConnectRouter, closing: AbortSignal): void {
  const names = () => new Set(["", ...router.handlers.map(({ service }) => service.typeName)]);
  const now = () => (closing.aborted ? Status.NOT_SERVING : Status.SERVING);
  const { check, list, watch } = Health.method;
  const routes: RpcRoute[] = [
    {
      rpc: "Health/Check",
      method: check,
      handler: (message) => {
        const { service } = message as HealthCheckRequest;
        if (!names().has(service)) throw new ConnectError(`There is no service '${service}'`, Code.NotFound);
        return { status: now() };
      },
    },
    {
      rpc: "Health/List",
      method: list,
      handler: () => ({ statuses: Object.fromEntries([...names()].map((name) => [name, { status: now() }])) }),
    },
  ];
  addRpcs(router, routes, createCallReports({}));
  router.rpc(
    watch,
    async function* ({ service }, { signal }) {
      const known = names().has(service);
      yield { status: known ? now() : Status.SERVICE_UNKNOWN };
      await aborted(signal);
      if (known && closing.aborted) yield { status: Status.NOT_SERVING };
    },
    // Ends watchers when the daemon closes. Other calls may finish.
    { shutdownSignal: closing },
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
