import { connect } from "node:tls";
import { hostOf, portOf, proxyOf } from "./env-proxy.js";

/** The server at an `http:` address speaks TLS. */
export class UnexpectedTlsError extends Error {
  override readonly name = "UnexpectedTlsError";
  readonly code = "EPROTO";

  constructor() {
    super("the server speaks TLS there: write https:// instead of http://");
  }
}

export const maxProbeMs = 3_000;
/** By origin, whether it speaks TLS; false as well for one that has answered over plain HTTP. */
const known = new Map<string, Promise<boolean>>();

/** Notes that a server answers over plain HTTP. */
export function notePlain(url: string): void {
  const { origin } = new URL(url);
  if (!known.has(origin)) known.set(origin, Promise.resolve(false));
}

/** Finds out whether the server at an `http:` address speaks TLS, by a handshake. Asks each server at most once. */
export function speaksTls(url: string): Promise<boolean> {
  const target = new URL(url);
  if (target.protocol !== "http:" || proxyOf(target) !== undefined) return Promise.resolve(false);
  const asked = known.get(target.origin) ?? shakesHands(target);
  known.set(target.origin, asked);
  return asked;
}

function shakesHands(target: URL): Promise<boolean> {
  return new Promise((resolve) => {
    // Nothing is sent over this connection, so it need not be trusted.
    const socket = connect({ host: hostOf(target), port: portOf(target), rejectUnauthorized: false });
    const end = (isTls: boolean) => {
      socket.destroy();
      resolve(isTls);
    };
    socket.setTimeout(maxProbeMs, () => end(false));
    socket.once("secureConnect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("close", () => end(false));
  });
}
