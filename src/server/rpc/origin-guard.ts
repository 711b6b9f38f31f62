import { cors } from "@connectrpc/connect";
import { allowReading, answerPreflight, isLoopbackOrigin } from "../../http/cors.js";
import type { Handler } from "../../http/either-http.js";

/**
 * Refuses requests from web pages of other machines, and adds CORS headers to the responses for local pages.
 *
 * Any web page can make a browser call a loopback port, even under a host name that resolves to loopback. With every POST, and so with
 * every RPC, browsers send the origin of the page in `Origin`; other programs do not.
 */
export function guardOrigin(handler: Handler): Handler {
  return (request, response) => {
    const { origin } = request.headers;
    if (origin === undefined) return handler(request, response);
    if (!isLoopbackOrigin(origin)) {
      response.statusCode = 403;
      response.setHeader("Content-Type", "text/plain");
      response.end("Only pages from this machine may call this server.\n");
      return;
    }
    response.setHeader("Vary", "Origin");
    allowReading(response, origin, cors.exposedHeaders);
    if (request.method !== "OPTIONS") return handler(request, response);
    answerPreflight(request, response, { origin, methods: cors.allowedMethods, headers: cors.allowedHeaders });
  };
}
