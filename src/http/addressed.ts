import type { IncomingMessage } from "node:http";
import { parseUrl } from "../base/parse-url.js";
import { isLoopbackOrigin } from "./cors.js";

/**
 * Whether a request names this machine, or the address or name that the server listens on. A web page whose own name was rebound to this
 * machine could otherwise read the response. No browser omits `Host` or reaches a Unix socket.
 */
export function isAddressed({ headers, socket }: IncomingMessage, listeningOn: string): boolean {
  const { localAddress } = socket;
  if (headers.host === undefined || localAddress === undefined) return true;
  const named = hostnameOf(headers.host);
  if (named === undefined) return false;
  const own = [listeningOn, localAddress.replace(/^::ffff:/, "")];
  return (
    isLoopbackOrigin(`http://${named}`) ||
    own.some((host) => hostnameOf(host.includes(":") ? `[${host}]` : host) === named)
  );
}

function hostnameOf(host: string): string | undefined {
  return parseUrl(`http://${host}`)?.hostname;
}
