import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the server received. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** The response of the server. */
export interface CannedResponse {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** JSON unless it is a string. */
  readonly body?: unknown;
}

/** Starts a server that records each request and responds with the result of `respond`. Use it with `await using`. */
export async function startLocalServer(respond: (request: SeenRequest, count: number) => CannedResponse) {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const record = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(pieces).toString("utf8"),
    };
    seen.push(record);
    const { status = 200, headers = {}, body = { result: "success", msg: "" } } = respond(record, seen.length);
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
