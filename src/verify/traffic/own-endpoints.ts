import type { IncomingMessage, ServerResponse } from "node:http";
import { isLoopbackOrigin } from "../../http/cors.js";
import { receiveBody } from "../../http/receive-body.js";
import { parseJson } from "../../parse-json.js";
import { parseUrl } from "../../parse-url.js";
import { escapeJson } from "../report/visible-text.js";
import type { ClientRequest, ClientResponse } from "./forward/client-side.js";

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

const refusedName =
  "The proxy answers this only to localhost and to the address that it listens on. To use another name, start it with --host <name>";

/** A request with its response. */
type Pair = readonly [request: IncomingMessage, response: ServerResponse];

/** Returns a request to the proxy itself, which is one of HTTP/1.1, with its response. */
export function ownRequest(request: ClientRequest, response: ClientResponse): Pair | undefined {
  if ("stream" in request || "stream" in response || request.url?.startsWith(ownPrefix) !== true) return undefined;
  return [request, response];
}

/**
 * Whether a request names this machine, or the address or name that the proxy listens on. A web page whose own name was rebound to this
 * machine could otherwise read the response. No browser omits `Host` or reaches a Unix socket.
 */
function isAddressed({ headers, socket }: IncomingMessage, listeningOn: string): boolean {
  const { localAddress } = socket;
  if (headers.host === undefined || localAddress === undefined) return true;
  const named = hostnameOf(headers.host);
  if (named === undefined) return false;
  const own = [listeningOn, localAddress.replace(/^::ffff:/, "")];
  return (
    isLoopbackOrigin(`http://${named}`) ||
    own.some((host) => hostnameOf(host.includes(":") ? `[${host}]` : host) === named)
  );
}

function hostnameOf(host: string): string | undefined {
  return parseUrl(`http://${host}`)?.hostname;
}

/** What answers the requests to the proxy itself. */
export interface OwnAnswers {
  readonly endpoints: OwnEndpoints;
  readonly error: (msg: string) => object;
  /** The address or name that the proxy listens on. */
  readonly host: string;
}

/**
 * Answers a request to the proxy itself. A body must be JSON: a page from another origin would need a CORS permission to
 * send it, which the proxy never gives.
 */
export async function answerOwnRequest(
  [request, response]: Pair,
  { endpoints, error, host }: OwnAnswers,
): Promise<void> {
  const { status, body } = isAddressed(request, host)
    ? await answer(request, endpoints, error).catch((fault: Error) => ({ status: 500, body: error(fault.message) }))
    : { status: 403, body: error(refusedName) };
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
