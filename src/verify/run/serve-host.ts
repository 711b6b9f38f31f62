import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { parseUrl } from "../../base/parse-url.js";
import { type ContentHost, type ServedHost, takesRequests } from "../../contract/served-host.js";

/** A request that a host got. It holds the secrets of the URL. */
export interface HostRequest {
  readonly method: string;
  /** Path and query, as received. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

/** A host on a port of the loopback interface. */
export interface RunningHost {
  /** Such as `http://127.0.0.1:41234`. */
  readonly origin: string;
  /** The first 1000 requests. */
  readonly requests: readonly HostRequest[];
  /** Starts over: a redirect applies to the next request again. */
  readonly rewind: () => Promise<void>;
  /** Closes the host and its connections. */
  readonly close: () => Promise<void>;
}

const address = "127.0.0.1";
export const maxRequests = 1000;
/** A cut response announces this many bytes more than it sends. */
const missingBytes = 4096;
/** A host that sends without end closes the connection after this many bytes. */
export const maxEndlessBytes = 256 * 1024 * 1024;
const slowMs = 500;

/**
 * Starts a host, on a free port. Source: proto/README.md, section "given".
 *
 * A host that refuses connections has no listener, but a connection of this process to itself keeps its port in use. Otherwise another
 * program could take the port, or the system could assign it to the server's own end of a connection, which would then reach itself.
 */
export async function serveHost(host: ServedHost, requests: HostRequest[] = []): Promise<RunningHost> {
  // Requests to both origins are listed in one order.
  const other = host.kind === "redirect" && host.elsewhere ? await serveHost(host.then, requests) : undefined;
  const sockets = new Set<Socket>();
  const http = createHttpServer((request, response) => {
    const { method = "", url = "", headers } = request;
    if (requests.length < maxRequests) requests.push({ method, path: url, headers });
    request.resume();
    answer(request, response);
  });
  const listener = createServer();
  const listen = async (port: number) => {
    listener.listen(port, address);
    await once(listener, "listening");
  };
  await listen(0);
  const { port } = listener.address() as AddressInfo;
  const origin = `http://${address}:${port}`;
  const keeper = connect(port, address);
  const [[kept]] = await Promise.all([once(listener, "connection"), once(keeper, "connect")]);
  for (const socket of [keeper, kept]) keep(socket);
  listener.on("connection", (socket) => {
    keep(socket);
    http.emit("connection", socket);
  });
  let current = host;
  let closed: Promise<unknown> | undefined;
  moveTo(host);

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  }

  function moveTo(next: ServedHost): void {
    current = next;
    if (!takesRequests(next)) listener.close();
  }

  function answerContent(response: ServerResponse, content: ContentHost): void {
    const { status = 200, headers = {}, encoding, localized } = content;
    const body = localized ? localizeUrls(content.body, origin) : content.body;
    const bytes = Buffer.from(body);
    response.writeHead(status, rawHeaders(headers));
    response.end(encoding === "base64" ? bytes.toString("base64") : bytes);
  }

  function answer({ socket, url = "" }: IncomingMessage, response: ServerResponse): void {
    switch (current.kind) {
      case "content":
        answerContent(response, current);
        return;
      case "paths": {
        const [path = ""] = url.split("?");
        const { paths } = current;
        const content = Object.hasOwn(paths, path) ? paths[path] : undefined;
        answerContent(response, content ?? { kind: "content", status: 404, body: "" });
        return;
      }
      case "redirect": {
        const { status = 302, location, then } = current;
        if (other === undefined) moveTo(then);
        const target = localizeUrl(location, other?.origin ?? origin);
        response.writeHead(status, rawHeaders({ location: target, connection: "close" }));
        response.end();
        return;
      }
      case "loop": {
        response.writeHead(302, rawHeaders({ location: localizeUrl(current.location, origin), connection: "close" }));
        response.end();
        return;
      }
      case "endless":
        response.writeHead(200, { "content-type": "text/plain" });
        sendEndlessly(response, current.body);
        return;
      case "slow":
        response.writeHead(200, { "content-type": "text/plain" });
        sendSlowly(response, current.body);
        return;
      case "cut": {
        const length = Buffer.byteLength(current.body) + missingBytes;
        socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${current.body}`);
        return;
      }
      case "garbage":
        socket.end(current.body);
        return;
      case "silent":
        return;
      case "refused":
      case "unknown":
        socket.destroy();
        return;
    }
  }

  async function end(): Promise<void> {
    // The listener closes only after its last connection, so close the connection that reserves the port first.
    const ended = once(listener, "close");
    listener.close();
    for (const socket of sockets) socket.destroy();
    await Promise.all([ended, other?.close()]);
  }

  return {
    origin,
    requests,
    rewind: async () => {
      if (takesRequests(host) && !listener.listening) await listen(port);
      current = host;
      await other?.rewind();
    },
    close: async () => {
      closed ??= end();
      await closed;
    },
  };
}

/** Sends a text again and again, as fast as the peer reads it. */
function sendEndlessly(response: ServerResponse, body: string): void {
  const piece = body.repeat(Math.ceil(65_536 / body.length));
  let sent = 0;
  const send = () => {
    do sent += piece.length;
    while (!response.destroyed && sent < maxEndlessBytes && response.write(piece));
    if (sent >= maxEndlessBytes) response.destroy();
  };
  response.on("drain", send);
  send();
}

/** Sends a text one character at a time, again and again, until the connection ends. */
function sendSlowly(response: ServerResponse, body: string): void {
  let at = 0;
  const timer = setInterval(() => response.write(body.charAt(at++ % body.length)), slowMs);
  response.once("close", () => clearInterval(timer));
  response.flushHeaders();
}

/** Replaces the host of each http and https URL in a text. */
function localizeUrls(text: string, origin: string): string {
  return text.replace(/https?:\/\/[^\s"']+/g, (url) => localizeUrl(url, origin));
}

/** Encodes header values as UTF-8: Node sends one byte per character. */
function rawHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString("latin1")]),
  );
}

/**
 * Replaces the host of a URL: with the origin `http://127.0.0.1:4711`, `https://me:pass@sub.example/s/1` becomes
 * `http://me:pass@127.0.0.1:4711/s/1`.
 *
 * User name, password, path, query and fragment keep every byte, because they hold the secrets. Returns any text that is not an http or
 * https URL unchanged, such as a relative redirect, and also a URL in `.invalid`, which never exists (RFC 6761, section 6.4). Never
 * throws.
 */
export function localizeUrl(url: string, origin: string): string {
  const [, authority = "", rest = ""] = /^https?:\/\/([^/?#\\]+)(.*)$/is.exec(url) ?? [];
  if (authority === "" || (parseUrl(url)?.hostname ?? ".invalid").endsWith(".invalid")) return url;
  const userinfo = authority.slice(0, authority.lastIndexOf("@") + 1);
  return `http://${userinfo}${new URL(origin).host}${rest}`;
}
