import type { IncomingMessage, ServerResponse } from "node:http";
import { allowReading, answerPreflight, isLoopbackOrigin, isPreflight } from "../../../src/http/cors.js";
import { writeError } from "./node-http.js";

/** Handles a request. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** Decides which web pages may call the server. Browsers send the origin of a page in `Origin`; other programs do not. */
export interface PageAccess {
  /** Adds CORS headers to the response, and answers a preflight. Returns true if it has answered. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Refuses pages from other machines with status 403, even those from allowed origins. */
  readonly onlyFromThisMachine: (serve: Serve) => Serve;
}

/** The methods of the operations, of the tus protocol and of `/user_uploads`. */
const methods = ["DELETE", "GET", "HEAD", "PATCH", "POST"];

/**
 * Lets pages from this machine and the given origins call the server. Pages from other origins cannot read its responses, and their
 * preflights are refused with status 403.
 */
export function createPageAccess(origins: readonly string[] = []): PageAccess {
  const named = new Set(origins);
  const isAllowed = (origin: string) => named.has(origin) || isLoopbackOrigin(origin);
  return {
    answer: (request, response) => {
      const { origin } = request.headers;
      // A cache must not hand the response for one origin to another.
      response.setHeader("Vary", "Origin");
      if (origin === undefined) return false;
      if (isAllowed(origin)) {
        if (!isPreflight(request)) {
          allowReading(response, origin);
          return false;
        }
        answerPreflight(request, response, { origin, methods });
      } else {
        if (!isPreflight(request)) return false;
        writeError(response, 403, `Pages of ${origin} may not call this server without --cors ${origin}`);
      }
      return true;
    },
    onlyFromThisMachine: (serve) => (request, response) => {
      const { origin } = request.headers;
      if (origin === undefined || isLoopbackOrigin(origin)) return serve(request, response);
      writeError(response, 403, "Only pages from this machine may set up provider states");
    },
  };
}
