import { gzipSync } from "node:zlib";
import { type Answer, answerOf, refusingPort, startHost } from "../import/fetch/start-host.js";
import type { UrlShape } from "./url-shapes.js";

/** A way in which a host fails while it repeats the request. */
export interface FailureMode {
  readonly name: string;
  /** The message of the error, without the host; undefined if the call succeeds anyway. */
  readonly message: string | undefined;
  /** Sets up the host for one URL, and returns the origin for that URL. */
  readonly start: (shape: UrlShape) => Promise<string>;
}

/** Creates a failure of a host that responds with text from the URL. */
function mode(
  name: string,
  message: FailureMode["message"],
  answer: (echo: string) => Answer,
  { tls = false } = {},
): FailureMode {
  return {
    name,
    message,
    start: async (shape) => {
      let origin = "";
      const host = await startHost(
        (socket, ...asked) => {
          const answered = answer(echoOf(shape, origin));
          if (typeof answered === "function") answered(socket, ...asked);
          else socket.end(answered);
        },
        { tls },
      );
      origin = `http${tls ? "s" : ""}://127.0.0.1:${host.port}`;
      return origin;
    },
  };
}

/** All secrets and the URL itself, in one line of text. */
function echoOf({ at, secrets }: UrlShape, origin: string): string {
  return [...secrets, at(origin)].join(" ");
}

const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const page = (echo: string) => `<!DOCTYPE html>\n<html><title>${echo}</title><body>Cannot GET ${echo}</body></html>`;
const redirect = (location: string) => answerOf(302, { Location: location }, page(location));
const path = encodeURIComponent;

/** Ways in which a fetch from a host fails. */
export const fetchFailures: readonly FailureMode[] = [
  {
    name: "refused",
    message: "The connection was refused",
    start: async () => `http://127.0.0.1:${await refusingPort()}`,
  },
  {
    name: "unresolved",
    message: "The host name cannot be resolved",
    start: async () => "https://panel.proseware.invalid",
  },
  mode("silent", "The host did not answer in time", () => () => {}),
  mode("silent after half a body", "The host did not answer in time", (echo) => (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n${echo}`);
  }),
  mode("HTTP 401", "The host answered HTTP 401", (echo) =>
    answerOf(401, { "WWW-Authenticate": `Basic realm="${echo}"` }, echo),
  ),
  mode("HTTP 404", "The host answered HTTP 404", (echo) =>
    answerOf(404, { "X-Asked": echo, "Set-Cookie": echo }, page(echo)),
  ),
  mode("HTTP 500", "The host answered HTTP 500", (echo) =>
    answerOf(500, { Link: echo, "Grpc-Message": echo }, page(echo)),
  ),
  mode("HTTP 502 with a reason", "The host answered HTTP 502", (echo) =>
    Buffer.from(`HTTP/1.1 502 ${echo}\r\n\r\n${echo}`),
  ),
  mode("redirect, then HTTP 500", "The host answered HTTP 500", (echo) => (socket, _, count) => {
    socket.end(
      count === 1 ? redirect(`/v2/${path(echo)}?from=${path(echo)}#${path(echo)}`) : answerOf(500, {}, page(echo)),
    );
  }),
  mode("redirect to a host that does not exist", "The host name cannot be resolved", (echo) =>
    redirect(
      `https://${path(echo)
        .replace(/[^a-z0-9]/gi, "")
        .slice(0, 60)}.invalid/${path(echo)}`,
    ),
  ),
  mode("redirect to a port that refuses", "The connection was refused", (echo) =>
    redirect(`http://${path(echo)}:${path(echo)}@127.0.0.1:1/${path(echo)}`),
  ),
  mode("redirect in a circle", "The host redirects too often", (echo) => redirect(`/${path(echo)}`)),
  mode("redirect to what is not a URL", "The host redirects to something that is not a URL", (echo) =>
    redirect(`http://[${echo}`),
  ),
  mode(
    "redirect to another scheme",
    "The host redirects to something that is neither an http nor an https URL",
    (echo) => redirect(`ftp://${path(echo)}@h.example/${path(echo)}`),
  ),
  mode("not HTTP", "The host did not answer in HTTP", (echo) => Buffer.from(`-ERR unknown command '${echo}'\r\n`)),
  mode("a broken header", "The host did not answer in HTTP", (echo) =>
    Buffer.from(`HTTP/1.1 200 OK\r\n${echo.replaceAll(":", " ")}\r\n\r\n`),
  ),
  mode("a broken chunk", "The host did not answer in HTTP", (echo) => Buffer.from(`${chunked}zz${echo}\r\n`)),
  mode("large headers", "The subscription is too large", (echo) =>
    Buffer.from(`HTTP/1.1 200 OK\r\nX: ${echo.repeat(1_000)}\r\n\r\n`),
  ),
  mode("a body that is cut short", "The connection ended before the answer did", (echo) =>
    answerOf(200, { "Content-Length": "9999" }, echo),
  ),
  mode("a reset connection", "The connection ended before the answer did", (echo) => (socket) => {
    socket.write(`${chunked}9999\r\n${echo}`, () => setTimeout(() => socket.resetAndDestroy(), 10));
  }),
  mode("text that says it is gzip", "The answer of the host cannot be decompressed", (echo) =>
    answerOf(200, { "Content-Encoding": "gzip" }, echo),
  ),
  mode("gzip that is cut short", "The answer of the host cannot be decompressed", (echo) => {
    return answerOf(200, { "Content-Encoding": "gzip" }, gzipSync(echo).subarray(0, -9));
  }),
  mode("an unknown compression", "The answer of the host cannot be decompressed", (echo) =>
    answerOf(200, { "Content-Encoding": echo }, echo),
  ),
  mode(
    "a certificate that nobody trusts",
    "No secure connection to the host can be made",
    (echo) => answerOf(200, {}, echo),
    {
      tls: true,
    },
  ),
];

const unknownFormat = "The content is in no known subscription format";

/** Fetched content with the secrets of the URL, most of it unreadable as a subscription. */
export const contentFailures: readonly FailureMode[] = [
  mode("a page", unknownFormat, (echo) => answerOf(200, { "Content-Type": "text/html" }, page(echo))),
  mode("plain text", unknownFormat, (echo) => answerOf(200, {}, echo.replaceAll("://", " "))),
  mode("a syntax error in JSON", unknownFormat, (echo) => answerOf(200, {}, `{"outbounds": [{"password": ${echo}}]}`)),
  mode("a JSON text that ends early", unknownFormat, (echo) => answerOf(200, {}, `{"servers": ["${path(echo)}`)),
  mode("a syntax error in YAML", unknownFormat, (echo) =>
    answerOf(200, {}, `proxies: {{${path(echo)}: [*${path(echo)}\n`),
  ),
  mode("a syntax error in an entry of YAML", unknownFormat, (echo) =>
    answerOf(200, {}, `proxies:\n  - {name: a, password: "${path(echo)}\n - ]${path(echo)}: *${path(echo)}\n`),
  ),
  {
    name: "entries and headers that hold the secrets",
    message: undefined,
    start: async ({ secrets }) => originOf(await startHost(subscriptionWith(secrets))),
  },
  {
    name: "a redirect to entries and headers that hold the secrets",
    message: undefined,
    start: async ({ secrets }) => {
      const target = originOf(await startHost(subscriptionWith(secrets)));
      return originOf(await startHost(redirect(`${target}/${path(secrets.join(" "))}`)));
    },
  },
];

function originOf({ port }: { readonly port: number }): string {
  return `http://127.0.0.1:${port}`;
}

function subscriptionWith(secrets: readonly string[]): Answer {
  const name = secrets[0] ?? "";
  const headers = { "Profile-Title": name, "Content-Disposition": `attachment; filename="${name}.txt"` };
  return answerOf(200, headers, secrets.flatMap(entriesWith).join("\n"));
}

/** A node with the secret as its password, and entries that are rejected for various reasons. */
function entriesWith(secret: string): string[] {
  const encoded = path(secret);
  return [
    `trojan://${encoded}@h.example:443#Frankfurt`,
    `trojan://${encoded}@h.example:70000#${encoded}`,
    `trojan://${encoded}@:443`,
    `vless://h.example:443?password=${encoded}`,
    `vmess://${Buffer.from(`{"id":"${secret}`).toString("base64")}`,
    `ss://${encoded}`,
    `ssr://${Buffer.from(secret).toString("base64url")}`,
    `https://h.example/${encoded}`,
    `gopher://${encoded}`,
  ];
}
