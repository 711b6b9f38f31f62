import type { Transport } from "../proxy-node.js";
import { isOn } from "./is-on.js";
import type { Settings, Wrapping } from "./read-query.js";

/**
 * Reads `type` and `headerType`, as V2Ray, Xray and Trojan links have them, or the older `ws=1` of Trojan links. Undefined when the
 * transport is not known.
 */
export function readTransport({ type, ws }: Wrapping, { headerType }: Readonly<Settings>): Transport | undefined {
  if (type === undefined) return isOn(ws) ? "websocket" : transportOf("", headerType);
  return transportOf(type, headerType);
}

/** The transport of a name such as `ws`. TCP with a header of HTTP is HTTP, and no name is TCP. */
export function transportOf(name: string, headerType: string | undefined): Transport | undefined {
  const transport = transports.get(name) ?? transports.get(name.toLowerCase());
  return transport === "tcp" && headerType === "http" ? "http" : transport;
}

const transports: ReadonlyMap<string, Transport> = new Map([
  ["", "tcp"],
  ["tcp", "tcp"],
  ["raw", "tcp"],
  ["ws", "websocket"],
  ["websocket", "websocket"],
  ["grpc", "grpc"],
  ["gun", "grpc"],
  ["http", "http"],
  ["h2", "http"],
  ["httpupgrade", "httpupgrade"],
  ["xhttp", "xhttp"],
  ["splithttp", "xhttp"],
  ["kcp", "kcp"],
  ["mkcp", "kcp"],
  ["quic", "quic"],
]);
