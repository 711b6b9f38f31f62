import { connect } from "node:net";

/** A request that is sent verbatim, without corrections. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, verbatim. */
  readonly target: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer;
  /** The framing of the body. Defaults to Content-Length. */
  readonly framing?: RawFraming;
}

/** How to mark the end of a body, correctly or incorrectly. */
export type RawFraming =
  | "length"
  | "chunked"
  | "broken-chunks"
  | "cut-chunks"
  | "longer-than-sent"
  | "shorter-than-sent"
  | "no-number"
  | "negative"
  | "two-lengths"
  | "length-and-chunked"
  | "none";

/** A response, with headers by lower-case name. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Ends a test whose server hangs. */
const timeoutMs = 300_000;

/** Framings that announce more data than is sent, so that the client must close the connection to end the request. */
const cutShort: ReadonlySet<RawFraming | undefined> = new Set<RawFraming>(["longer-than-sent", "cut-chunks"]);

/** Whether the client disconnects before its request is complete, so that the server need not respond. */
export function isCutShort({ framing }: RawRequest): boolean {
  return cutShort.has(framing);
}

/**
 * Sends a request over a new connection. Returns the first final response, or undefined if the server closes the connection without
 * one. Rejects if the server neither responds nor closes.
 */
export async function exchange(url: string, request: RawRequest): Promise<RawResponse | undefined> {
  return parseResponse(await exchangeBytes(url, requestBytes(url, request), isCutShort(request)));
}

/**
 * Sends arbitrary bytes, then by default closes this side of the connection. Returns all data until the server closes its side. A
 * server may treat a half-closed connection as a disconnected client.
 */
export function exchangeBytes(url: string, bytes: Buffer, end = true): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(pieces));
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end of the answer within ${timeoutMs} ms; so far: ${JSON.stringify(text(pieces))}`));
    }, timeoutMs);
    socket.on("data", (piece) => pieces.push(piece));
    // A server that refuses a request may close the connection before everything is sent.
    socket.on("error", done);
    socket.on("close", done);
    if (end) socket.end(bytes);
    else socket.write(bytes);
  });
}

function text(pieces: readonly Buffer[]): string {
  return Buffer.concat(pieces).toString("utf8").slice(0, 500);
}

function requestBytes(url: string, { method, target, headers = [], body, framing = "length" }: RawRequest): Buffer {
  const hasHost = headers.some(([name]) => name.toLowerCase() === "host");
  const all = [
    ...(hasHost ? [] : [["Host", new URL(url).host] as const]),
    ...headers,
    ["Connection", "close"] as const,
    ...framingHeaders(framing, body?.length),
  ];
  const head = [`${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`), "", ""].join(
    "\r\n",
  );
  return Buffer.concat([Buffer.from(head, "utf8"), framedBody(framing, body ?? Buffer.alloc(0))]);
}

function framingHeaders(framing: RawFraming, length: number | undefined): [string, string][] {
  const given = length ?? 0;
  switch (framing) {
    case "length":
      return length === undefined ? [] : [["Content-Length", String(length)]];
    case "chunked":
    case "broken-chunks":
    case "cut-chunks":
      return [["Transfer-Encoding", "chunked"]];
    case "longer-than-sent":
      return [["Content-Length", String(given + 100)]];
    case "shorter-than-sent":
      return [["Content-Length", String(Math.floor(given / 2))]];
    case "no-number":
      return [["Content-Length", "0x10"]];
    case "negative":
      return [["Content-Length", "-1"]];
    case "two-lengths":
      return [
        ["Content-Length", String(given)],
        ["Content-Length", String(given + 1)],
      ];
    case "length-and-chunked":
      return [
        ["Content-Length", String(given)],
        ["Transfer-Encoding", "chunked"],
      ];
    case "none":
      return [];
  }
}

function framedBody(framing: RawFraming, body: Buffer): Buffer {
  const size = Buffer.from(`${body.length.toString(16)}\r\n`);
  switch (framing) {
    case "chunked":
    case "length-and-chunked":
      return Buffer.concat(body.length === 0 ? [Buffer.from("0\r\n\r\n")] : [size, body, Buffer.from("\r\n0\r\n\r\n")]);
    case "broken-chunks":
      return Buffer.concat([Buffer.from("zz\r\n"), body, Buffer.from("\r\n0\r\n\r\n")]);
    case "cut-chunks":
      return Buffer.concat([Buffer.from(`${(body.length + 10).toString(16)}\r\n`), body]);
    default:
      return body;
  }
}

function parseResponse(bytes: Buffer): RawResponse | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) {
    if (bytes.length === 0) return undefined;
    throw new Error(`no response of HTTP: ${JSON.stringify(bytes.toString("utf8").slice(0, 500))}`);
  }
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  const rest = bytes.subarray(end + 4);
  if (status < 200) return parseResponse(rest);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = headers["content-length"] === undefined ? rest.length : Number(headers["content-length"]);
  return { status, headers, body: rest.subarray(0, length).toString("utf8") };
}
