import type { IncomingMessage, ServerResponse } from "node:http";
import { parseBoundedJson } from "../../base/parse-json.js";
import { isAddressed } from "../../http/addressed.js";
import { receiveBody } from "../../http/receive-body.js";
import { escapeJson } from "../../text/visible-text.js";

/** The response of an endpoint of the proxy itself. */
export interface EndpointAnswer {
  readonly status: number;
  readonly body: object;
}

/** What answers the requests to the proxy itself. */
export interface OwnEndpoints {
  /** By method and path, such as `GET /accord/report`. */
  readonly endpoints: Readonly<Record<string, (body: unknown) => Promise<EndpointAnswer>>>;
  readonly error: (message: string) => object;
  /** The address or name that the proxy listens on. */
  readonly host: string;
}

/** The largest body of a request to the proxy itself. */
export const maxBodyBytes = 64 * 1024;

const refusedName =
  "The proxy answers this only to localhost and to the address that it listens on. To use another name, start it with --host <name>";

/**
 * Answers a request to the proxy itself. A body must be JSON: a page from another origin would need a CORS permission to
 * send it, which the proxy never gives.
 */
export async function answerOwnRequest(
  request: IncomingMessage,
  response: ServerResponse,
  own: OwnEndpoints,
): Promise<void> {
  const refused = (status: number, message: string) => ({ status, body: own.error(message) });
  const { status, body } = isAddressed(request, own.host)
    ? await answer(request, own, refused).catch((fault: Error) => refused(500, fault.message))
    : refused(403, refusedName);
  const text = escapeJson(JSON.stringify(body));
  response.on("error", () => {});
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  response.end(text);
}

async function answer(
  request: IncomingMessage,
  { endpoints }: OwnEndpoints,
  refused: (status: number, message: string) => EndpointAnswer,
): Promise<EndpointAnswer> {
  const { method = "GET", url = "", headers } = request;
  const endpoint = endpoints[`${method} ${url.split("?", 1)[0]}`];
  if (endpoint === undefined)
    return refused(404, `The proxy itself answers only ${Object.keys(endpoints).join(" and ")}`);
  if (method === "GET") return endpoint(undefined);
  if (!/^application\/json\b/i.test(headers["content-type"] ?? ""))
    return refused(415, "Send JSON, with Content-Type: application/json");
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of receiveBody(request)) {
    length += piece.length;
    if (length > maxBodyBytes) return refused(413, `The body is larger than ${maxBodyBytes} bytes`);
    pieces.push(piece);
  }
  return endpoint(parseBoundedJson(Buffer.concat(pieces).toString("utf8")));
}
