import type { IncomingMessage, ServerResponse } from "node:http";
import { receiveBody } from "../../http/receive-body.js";
import { parseJson } from "../../parse-json.js";
import { escapeJson } from "../report/visible-text.js";

/** The response of an endpoint of the proxy itself. */
export interface EndpointAnswer {
  readonly status: number;
  readonly body: object;
}

/** An endpoint of the proxy itself, by method and path, such as `GET /accord/report`. */
export type OwnEndpoints = Readonly<Record<string, (body: unknown) => EndpointAnswer | Promise<EndpointAnswer>>>;

/** The prefix of the paths that the proxy answers itself. */
const ownPrefix = "/accord/";

/** The largest body of a request to the proxy itself. */
const maxBodyBytes = 64 * 1024;

/** Whether a request is to the proxy itself. */
export function isOwnRequest({ url = "" }: IncomingMessage): boolean {
  return url.startsWith(ownPrefix);
}

/**
 * Answers a request to the proxy itself. A body must be JSON: a page from another origin would need a CORS permission to
 * send it, which the proxy never gives.
 */
export async function answerOwnRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { endpoints, error }: { readonly endpoints: OwnEndpoints; readonly error: (msg: string) => object },
): Promise<void> {
  const { status, body } = await answer(request, endpoints, error).catch((fault: Error) => ({
    status: 500,
    body: error(fault.message),
  }));
  const text = escapeJson(JSON.stringify(body));
  response.on("error", () => {});
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  response.end(text);
}

async function answer(
  request: IncomingMessage,
  endpoints: OwnEndpoints,
  error: (msg: string) => object,
): Promise<EndpointAnswer> {
  const { method = "GET", url = "" } = request;
  const endpoint = endpoints[`${method} ${url.split("?", 1)[0]}`];
  if (endpoint === undefined) {
    return { status: 404, body: error(`The proxy itself answers only ${Object.keys(endpoints).join(" and ")}`) };
  }
  if (method === "GET") return endpoint(undefined);
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    return { status: 415, body: error("Send JSON, with Content-Type: application/json") };
  }
  const text = await readText(request);
  if (text === undefined) return { status: 413, body: error(`The body is larger than ${maxBodyBytes} bytes`) };
  return endpoint(parseJson(text));
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of receiveBody(request)) {
    length += piece.length;
    if (length > maxBodyBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
