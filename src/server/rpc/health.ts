import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../generated/grpc/health/v1/health_pb.js";

/**
 * Adds the standard health service. All services of the router, and "" for the whole daemon, report SERVING until `closing` aborts.
 */
export function addHealth(router: ConnectRouter, closing: AbortSignal): void {
  const names = () => new Set(["", ...router.handlers.map(({ service }) => service.typeName)]);
  const now = () => (closing.aborted ? Status.NOT_SERVING : Status.SERVING);
  router.service(
    Health,
    {
      check: ({ service }) => {
        if (!names().has(service)) throw new ConnectError(`There is no service '${service}'`, Code.NotFound);
        return { status: now() };
      },
      list: () => ({ statuses: Object.fromEntries([...names()].map((name) => [name, { status: now() }])) }),
      async *watch({ service }, { signal }) {
        const known = names().has(service);
        yield { status: known ? now() : Status.SERVICE_UNKNOWN };
        await aborted(signal);
        if (known && closing.aborted) yield { status: Status.NOT_SERVING };
      },
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
