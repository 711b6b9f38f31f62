import { parseUrl } from "../base/parse-url.js";

/** The parts of a request that matter for CORS. */
interface PageRequest {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A response whose headers are not sent yet, of HTTP/1.1 or HTTP/2. */
interface OpenResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(): unknown;
}

const maxAgeSeconds = "600";

/** Whether a browser asks if a page from another origin may send a request (Fetch standard, CORS-preflight request). */
export function isPreflight({ method, headers }: PageRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/**
 * Lets pages of an origin read a response and its headers; `*` stands for all. The browser still sends no cookies: a page passes an API
 * key in a header of its own.
 */
export function allowReading(response: OpenResponse, origin: string, headers: readonly string[] = ["*"]): void {
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", headers.join(", "));
}

/** Answers a preflight: pages of the origin may use the methods, and all headers that the browser asks for. */
export function answerPreflight(
  request: PageRequest,
  response: OpenResponse,
  { origin, methods, headers = ["*"] }: { origin: string; methods: readonly string[]; headers?: readonly string[] },
): void {
  response.statusCode = 204;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Allow-Methods", methods.join(", "));
  const asked = request.headers["access-control-request-headers"];
  response.setHeader("Access-Control-Allow-Headers", asked?.toString() ?? headers.join(", "));
  response.setHeader("Access-Control-Max-Age", maxAgeSeconds);
  response.end();
}

/** Whether an origin is on this machine: `localhost` or a name below it, or a loopback address, on any port. */
export function isLoopbackOrigin(origin: string): boolean {
  const url = parseUrl(origin);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return false;
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

/** The problem with a text that should be an origin as browsers send it. Undefined if it is one. */
export function originProblem(text: string): string | undefined {
  const example = "such as https://ui.example.org or http://192.168.1.5:5173";
  if (text === "*") return `Name each origin, ${example}: the server does not let every page call it.`;
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return `It must be an origin, ${example}.`;
  return url.origin === text ? undefined : `An origin is scheme, host and port alone: write ${url.origin}.`;
}
