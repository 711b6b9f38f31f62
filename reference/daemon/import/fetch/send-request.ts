import { isUtf8 } from "node:buffer";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { isIP, type TcpNetConnectOpts } from "node:net";
import { checkServerIdentity } from "node:tls";
import { parseUrl } from "../../../../src/base/parse-url.js";
import { percentDecode } from "../../../../src/base/percent-decode.js";
import { readPackage } from "../../../../src/base/read-package.js";
import { isHttp } from "../read-subscription-url.js";
import { FetchFailure } from "./fetch-failure.js";
import { literalAddress, type Network, type Target } from "./resolve-host.js";

/** Panels choose the format by this name. For browsers they respond with a web page. */
const userAgent = `accord-daemon/${readPackage()?.version ?? "0"}`;
const maxHeaderBytes = 16 * 1024;
/** Node's default of 250 ms is too short for a distant address. */
const nextAddressAfterMs = 1_000;

/** Options of a request. */
export interface SendOptions {
  readonly network: Network;
  /** Aborts the request, and the response while it is read. */
  readonly signal: AbortSignal;
}

type Options = RequestOptions & Pick<TcpNetConnectOpts, "autoSelectFamily" | "autoSelectFamilyAttemptTimeout">;

/**
 * Sends a GET request to checked addresses over a new connection. Resolves to the response when its headers have
 * arrived. User name and password go into `Authorization` (RFC 7617). The fragment is not sent.
 *
 * Rejects with an error of Node or a `FetchFailure`, and so does reading the response. Never emits an unhandled error.
 */
export function sendRequest(url: URL, target: Target, { network, signal }: SendOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    let received: IncomingMessage | undefined;
    const take = (response: IncomingMessage) => {
      received = response;
      response.on("error", ignore);
      resolve(response);
    };
    const request = send({ ...requestOptions(url, network.connectTo(target), network.ca), signal }, take);
    request.on("error", (error) => {
      reject(error);
      // Otherwise reading would report a reset connection, whatever the reason. An error after the complete response is
      // irrelevant.
      if (received?.complete === false) received.destroy(error);
    });
    request.on("upgrade", (response, socket) => {
      socket.on("error", ignore);
      socket.destroy();
      take(response);
    });
    // Settles the promise if there was neither a response nor an error.
    request.on("close", () => reject(new FetchFailure("connection-lost")));
    request.end();
  });
}

function requestOptions(url: URL, target: Target, ca: string | undefined): Options {
  const literal = literalAddress(url);
  // TLS names lack the trailing dot of a fully qualified name (RFC 6066, section 3).
  const serverName = literal ?? url.hostname.replace(/\.$/, "");
  return {
    method: "GET",
    path: url.pathname + url.search,
    headers: requestHeaders(url),
    // Node connects to an address directly. For a name it calls `lookup`, which returns only checked addresses.
    host: literal === undefined ? url.hostname : target.addresses[0],
    port: target.port,
    lookup: (_hostname, _options, callback) =>
      callback(
        null,
        target.addresses.map((address) => ({ address, family: isIP(address) })),
      ),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    agent: false,
    maxHeaderSize: maxHeaderBytes,
    insecureHTTPParser: false,
    rejectUnauthorized: true,
    servername: literal === undefined ? serverName : "",
    checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
    ...(ca === undefined ? {} : { ca }),
  };
}

function requestHeaders(url: URL): Record<string, string> {
  const { host, username, password } = url;
  const basic = Buffer.from(`${percentDecode(username)}:${percentDecode(password)}`).toString("base64");
  return {
    Host: host,
    "User-Agent": userAgent,
    Accept: "*/*",
    "Accept-Encoding": "gzip, br",
    ...(username === "" && password === "" ? {} : { Authorization: `Basic ${basic}` }),
  };
}

function ignore(): void {}

const redirects: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the target of a redirect; undefined if the response is not one. User name and password are kept only for the
 * same scheme, host and port.
 *
 * Throws `redirect-not-a-url` or `redirect-unsupported-scheme`.
 */
export function redirectTarget({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  const location = headerText(headers, "location");
  if (!redirects.has(statusCode) || location === undefined) return undefined;
  // Checked first, because the error of `new URL` contains both URLs.
  if (parseUrl(location, from.href) === undefined) throw new FetchFailure("redirect-not-a-url");
  const to = new URL(location, from.href);
  if (!isHttp(to)) throw new FetchFailure("redirect-unsupported-scheme");
  if (to.origin === from.origin && to.username === "" && to.password === "") {
    to.username = from.username;
    to.password = from.password;
  }
  return to;
}

/**
 * Returns the text of a header. Node decodes the bytes as Latin-1, but servers send UTF-8, so this decodes them as UTF-8
 * if they are valid UTF-8.
 */
export function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  const text = typeof value === "object" ? value[0] : value;
  const bytes = Buffer.from(text ?? "", "latin1");
  return text !== undefined && isUtf8(bytes) ? bytes.toString() : text;
}
