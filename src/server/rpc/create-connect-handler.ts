import { constants, type ServerHttp2Stream } from "node:http2";
import { createConnectRouter } from "@connectrpc/connect";
import type { UniversalHandlerFn } from "@connectrpc/connect/protocol";
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { Handler } from "../../http/either-http.js";
import { inspectedCompression } from "../../wire/inspect-messages.js";
import { addRpcs } from "./add-rpcs.js";
import { maxRequestBytes } from "./call-errors.js";
import { type CallObserver, createCallReports } from "./call-reports.js";
import { addHealth } from "./health.js";
import { readableStatus } from "./readable-status.js";
import { addReflection } from "./reflection.js";
import type { RpcServerOptions } from "./rpc-server-options.js";
import { countValues, superviseCalls } from "./supervise-calls.js";

/** Creates a handler for the RPCs, health and reflection over gRPC, gRPC-Web and Connect. */
export function createConnectHandler(
  { routes, files }: Pick<RpcServerOptions, "routes" | "files">,
  observer: CallObserver,
  closing: AbortSignal,
): Handler {
  const reports = createCallReports(observer);
  // Only gzip: brotli would take half a minute for a reply of many megabytes.
  const router = createConnectRouter({
    readMaxBytes: maxRequestBytes,
    acceptCompression: [inspectedCompression(compressionGzip)],
  });
  addRpcs(router, routes, reports);
  const names = new Map(router.handlers.map((handle, index) => [handle, routes[index]?.rpc]));
  addHealth(router, closing);
  addReflection(router, files, closing);
  const byPath = new Map<string, UniversalHandlerFn>(
    router.handlers.map((handle) => {
      const { name, methodKind, parent } = handle.method;
      if (methodKind !== "unary") return [handle.requestPath, countValues(handle)];
      const rpc = names.get(handle);
      const supervised =
        rpc === undefined
          ? superviseCalls(handle, `${parent.name}/${name}`, createCallReports({}))
          : superviseCalls(handle, rpc, reports);
      return [handle.requestPath, supervised];
    }),
  );
  return (request, response) => {
    const handle = byPath.get((request.url ?? "").split("?", 1)[0] ?? "");
    if (handle === undefined) response.writeHead(404).end();
    else void serve(handle, request, response);
  };
}

/** Handles a request. Connect's own adapter throws an unhandled error if the Host header is invalid, and logs lost connections. */
async function serve(
  handle: UniversalHandlerFn,
  request: Parameters<Handler>[0],
  response: Parameters<Handler>[1],
): Promise<void> {
  let universal: ReturnType<typeof universalRequestFromNodeRequest>;
  try {
    universal = universalRequestFromNodeRequest(request, response, undefined, undefined);
  } catch {
    response.writeHead(400).end();
    return;
  }
  try {
    const { trailer, ...rest } = await handle(universal);
    if ("stream" in response) endWithResponse(response.stream);
    await universalResponseToNodeResponse({ ...rest, ...(trailer && { trailer: readableStatus(trailer) }) }, response);
  } catch {
    // The client has disconnected, or has aborted its request.
    if ("stream" in response) response.stream.destroy();
    else response.destroy();
  }
}

/** Closes the stream after the response. Otherwise a client would keep sending the rest of a refused request. */
function endWithResponse(stream: ServerHttp2Stream): void {
  // The trailers, the last part of a response, are sent in this event.
  stream.once("wantTrailers", () =>
    setImmediate(() => {
      if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    }),
  );
}
