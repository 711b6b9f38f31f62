import { cors } from "@connectrpc/connect";
import { parseUrl } from "../../parse-url.js";
import type { Handler } from "./either-http.js";

const maxAgeSeconds = "600";

/**
 * Refuses requests of web pages from other machines, and adds CORS headers to the responses for local pages.
 *
 * Any web page can make a browser call a loopback port, even under a host name that resolves to loopback. Browsers always send the
 * origin of the page in `Origin`; other programs do not.
 */
export function guardOrigin(handler: Handler): Handler {
  return (request, response) => {
    const { origin } = request.headers;
    if (origin === undefined) return handler(request, response);
    if (!isLocal(origin)) {
      response.statusCode = 403;
      response.setHeader("Content-Type", "text/plain");
      response.end("Only pages of this machine may call this daemon.\n");
      return;
    }
    response.setHeader("Access-Control-Allow-Origin", origin);
    response.setHeader("Access-Control-Expose-Headers", cors.exposedHeaders.join(", "));
    response.setHeader("Vary", "Origin");
    if (request.method !== "OPTIONS") return handler(request, response);
    response.statusCode = 204;
    response.setHeader("Access-Control-Allow-Methods", cors.allowedMethods.join(", "));
    response.setHeader(
      "Access-Control-Allow-Headers",
      request.headers["access-control-request-headers"] ?? cors.allowedHeaders.join(", "),
    );
    response.setHeader("Access-Control-Max-Age", maxAgeSeconds);
    response.end();
  };
}

function isLocal(origin: string): boolean {
  if (parseUrl(origin) === undefined) return false;
  const { protocol, hostname } = new URL(origin);
  return /^https?:$/.test(protocol) && /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
