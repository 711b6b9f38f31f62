import { createServer } from "node:http";
import { type Listening, listen } from "../../../src/listen.js";

/** What a server was asked. */
export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** What it answers: a body that is no text is sent as JSON. */
export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Starts a server for a test that answers as it is told and keeps what it was asked. */
export async function startExampleServer(
  answer: (request: SeenRequest) => Answer,
): Promise<Listening & { readonly seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method, url } = request;
    const { authorization } = request.headers;
    const asked = { method, url, authorization, body: Buffer.concat(pieces).toString() };
    seen.push(asked);
    const { status = 200, type = "application/json", headers = {}, body } = answer(asked);
    response.writeHead(status, { "Content-Type": type, ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return { ...(await listen(server)), seen };
}
