import { isAbsolute } from "node:path";
import { parseUrl } from "../base/parse-url.js";

/** The address of a server. */
export type RpcAddress =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "tcp"; readonly origin: string; readonly secure: boolean };

const forms = "Write unix:/path/to/socket, http://host:port or https://host:port";

/**
 * Parses an address such as `unix:/run/daemon.sock`, `unix:///run/daemon.sock` or `http://127.0.0.1:4020`. Throws a `TypeError` that
 * says what is wrong and what to write.
 */
export function parseRpcAddress(address: string): RpcAddress {
  const socket = /^unix:(?:\/\/)?(.*)$/s.exec(address)?.[1];
  if (socket !== undefined) {
    if (!isAbsolute(socket))
      throw new TypeError(`The path in the server address '${address}' must be absolute. ${forms}`);
    return { kind: "socket", path: socket };
  }
  const url = parseUrl(address);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // Malformed text may still hold a password, so the message omits it.
    throw new TypeError(`This is not the address of a server. ${forms}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(`The address of a server holds no user name and no password. ${forms}`);
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw new TypeError(`The address of a server ends after the port, as in ${url.origin}. ${forms}`);
  }
  return { kind: "tcp", origin: url.origin, secure: url.protocol === "https:" };
}
