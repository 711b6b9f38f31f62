import type { RejectionReason } from "../rejection.js";
import { readHost } from "./read-host.js";
import { readPort } from "./read-port.js";

/** Where a server is. */
export interface Endpoint {
  readonly server: string;
  readonly port: number;
}

/** Reads the host and the port of a link. Without a usual port the link has to have one. */
export function readEndpoint(
  { host, port }: { readonly host: string; readonly port: string },
  usualPort?: number,
): Endpoint | RejectionReason {
  if (host === "") return "missing-server";
  const server = readHost(host);
  if (server === undefined) return "invalid-server";
  const number = port === "" ? usualPort : readPort(port);
  if (number === undefined) return port === "" ? "missing-port" : "invalid-port";
  return { server, port: number };
}
