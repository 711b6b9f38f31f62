import { createServer, type IncomingHttpHeaders } from "node:http";
import { type Listening, listen } from "../../../src/base/listen.js";

/** A request that the server received. */
export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly userAgent: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A response. A body that is neither text nor bytes is sent as JSON. */
export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Starts a server that answers with `answer` and records its requests. */
export async function startExampleServer(
  answer: (request: SeenRequest) => Answer,
): Promise<Listening & { readonly seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method, url } = request;
    const { authorization, "user-agent": userAgent } = request.headers;
    const received = {
      method,
      url,
      authorization,
      userAgent,
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
    };
    seen.push(received);
    const { status = 200, type = "application/json", headers = {}, body } = answer(received);
    response.writeHead(status, { "Content-Type": type, ...headers });
    response.end(typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body));
  });
  return { ...(await listen(server)), seen };
}
