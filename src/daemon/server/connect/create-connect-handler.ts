import { constants, type ServerHttp2Stream } from "node:http2";
import { type ConnectRouter, createConnectRouter } from "@connectrpc/connect";
import type { UniversalHandlerFn } from "@connectrpc/connect/protocol";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { maxRequestBytes } from "../calls/call-errors.js";
import type { CallReports } from "../calls/daemon-call.js";
import type { Rpc } from "../calls/rpc.js";
import type { Handler } from "../either-http.js";
import { superviseCalls } from "./supervise-calls.js";

/** Creates a handler for RPCs and further services over gRPC, gRPC-Web and Connect. */
export function createConnectHandler(
  rpcs: readonly Rpc[],
  addServices: (router: ConnectRouter) => void,
  reports: CallReports,
): Handler {
  const router = createConnectRouter({
    readMaxBytes: maxRequestBytes,
    acceptCompression: [compressionGzip, compressionBrotli],
  });
  for (const rpc of rpcs) rpc.addTo(router);
  addServices(router);
  const handlers = new Map<string, UniversalHandlerFn>(router.handlers.map((handle) => [handle.requestPath, handle]));
  for (const rpc of rpcs) {
    const handle = handlers.get(rpc.path);
    if (handle !== undefined) handlers.set(rpc.path, superviseCalls(handle, rpc, reports));
  }
  return (request, response) => {
    const handle = handlers.get((request.url ?? "").split("?", 1)[0] ?? "");
    if (handle === undefined) {
      response.writeHead(404);
      response.end();
      return;
    }
    void serve(handle, request, response);
  };
}

type Request = Parameters<Handler>[0];
type Response = Parameters<Handler>[1];

/** Handles a request. Replaces Connect's own adapter, which throws an unhandled error if the Host header is invalid. */
async function serve(handle: UniversalHandlerFn, request: Request, response: Response): Promise<void> {
  let universal: ReturnType<typeof universalRequestFromNodeRequest>;
  try {
    universal = universalRequestFromNodeRequest(request, response, undefined, undefined);
  } catch {
    response.writeHead(400);
    response.end();
    return;
  }
  try {
    const answer = await handle(universal);
    if ("stream" in response) endWithResponse(response.stream);
    await universalResponseToNodeResponse(answer, response);
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
