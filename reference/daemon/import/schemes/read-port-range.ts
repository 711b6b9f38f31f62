import type { RejectionReason } from "../rejection.js";
import { type Endpoint, readEndpoint } from "./read-endpoint.js";
import { readPorts } from "./read-ports.js";
import type { Settings } from "./read-query.js";

/**
 * Reads the host and the ports of a Hysteria link. More than one port stands after the host, or in a parameter that is in the
 * setting `ports`; then this setting holds them, and the first one is the port of the server if none stands after the host.
 */
export function readPortRange(
  { host, port }: { readonly host: string; readonly port: string },
  settings: Settings,
  usualPort?: number,
): Endpoint | RejectionReason {
  const several = port.includes(",") || port.includes("-");
  if (several) settings.ports = port;
  if (settings.ports === undefined) return readEndpoint({ host, port }, usualPort);
  const first = readPorts(settings.ports);
  const endpoint = readEndpoint({ host, port: several ? "" : port }, first);
  return first === undefined && !isServerProblem(endpoint) ? "invalid-port" : endpoint;
}

function isServerProblem(endpoint: Endpoint | RejectionReason): boolean {
  return endpoint === "missing-server" || endpoint === "invalid-server";
}
