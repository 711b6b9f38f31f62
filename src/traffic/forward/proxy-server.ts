import { createEitherHttp, type EitherHttp, type Handler } from "../../http/either-http.js";
import { type FormatError, refuseMalformed } from "../../http/malformed-requests.js";
import { createPipeliningLimit } from "../../http/pipelining.js";
import { maxHeaderBytes } from "./forwarder-limits.js";

/** Only the server ends long-lived streams, such as those of the health service of gRPC. The forwarder limits silence. */
const limits = { headersMs: 30_000, requestMs: 86_400_000, idleMs: 300_000, connections: 5_000 };

/** Creates the server of a proxy, for both versions of HTTP. */
export function createProxyServer(handler: Handler, formatError: FormatError): EitherHttp {
  const mayServe = createPipeliningLimit();
  const http = createEitherHttp(
    (request, response) => {
      if ("stream" in request || "stream" in response || mayServe(request, response)) handler(request, response);
    },
    // The server decides what is too large.
    { limits, http1: { maxHeaderSize: maxHeaderBytes, requireHostHeader: false } },
  );
  refuseMalformed(http.server, formatError);
  return http;
}
