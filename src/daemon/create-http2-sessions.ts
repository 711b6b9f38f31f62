import type { ClientHttp2Stream, ClientSessionOptions, Http2Session } from "node:http2";
import { Http2SessionManager } from "@connectrpc/connect-node";

/** The HTTP/2 connection of a client. */
export interface Http2Sessions {
  readonly authority: string;
  readonly request: Http2SessionManager["request"];
  readonly notifyResponseByteRead: (stream: ClientHttp2Stream) => void;
  /** Ends the connection. Requests under way fail; a later one connects again. */
  readonly close: () => void;
}

/**
 * Keeps an HTTP/2 connection to an origin, by the session manager of connect-node. That takes its listeners off a connection that is
 * ending, so an error that comes afterwards, as from a peer that does not speak HTTP/2, would end the process.
 */
export function createHttp2Sessions(origin: string, options: ClientSessionOptions): Http2Sessions {
  const manager = new Http2SessionManager(origin, {}, options);
  const heard = new WeakSet<Http2Session>();
  return {
    authority: manager.authority,
    request: async (...call) => {
      const stream = await manager.request(...call);
      const { session } = stream;
      if (session !== undefined && !heard.has(session)) {
        heard.add(session);
        // Each request tells its caller what went wrong.
        session.on("error", () => {});
      }
      return stream;
    },
    notifyResponseByteRead: (stream) => manager.notifyResponseByteRead(stream),
    close: () => manager.abort(),
  };
}
