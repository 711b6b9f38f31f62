import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { SubscriptionHost } from "../../contract/daemon/cases.js";
import { takesRequests } from "../../contract/daemon/evidence.js";
import { parseUrl } from "../../parse-url.js";

/** A request that a daemon made to get a subscription. It holds the secrets of the URL. */
export interface HostRequest {
  readonly method: string;
  /** Path and query, as they came. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

/** The host of the URLs of a case, on a port of the loopback interface. */
export interface RunningHost {
  /** Such as `http://127.0.0.1:41234`. */
  readonly origin: string;
  /** The requests that came, oldest first, at most 1000 of them. */
  readonly requests: readonly HostRequest[];
  /** Begins anew: the next request is redirected again, if there is a redirect. */
  readonly rewind: () => Promise<void>;
  /** Ends it along with every connection. */
  readonly close: () => Promise<void>;
}

const address = "127.0.0.1";
const mostRequests = 1000;
/** An answer that is cut off says that so many bytes more would follow. */
const missingBytes = 4096;

/**
 * Starts a server that answers what a case says, whatever the path. Source: proto/README.md, section "given".
 *
 * A port without a listener stays taken by a connection from this process to itself. So no other program gets it meanwhile, nor
 * does the system give it to the daemon's own end of the connection, which would then reach itself.
 */
export async function createSubscriptionHost(host: SubscriptionHost): Promise<RunningHost> {
  const requests: HostRequest[] = [];
  const sockets = new Set<Socket>();
  const http = createHttpServer((request, response) => {
    const { method = "", url = "", headers } = request;
    if (requests.length < mostRequests) requests.push({ method, path: url, headers });
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

  function moveTo(next: SubscriptionHost): void {
    current = next;
    if (!takesRequests(next)) listener.close();
  }

  function answer({ socket }: IncomingMessage, response: ServerResponse): void {
    switch (current.kind) {
      case "content": {
        const { status = 200, headers = {}, body, encoding } = current;
        const bytes = Buffer.from(body);
        response.writeHead(status, rawHeaders(headers));
        response.end(encoding === "base64" ? bytes.toString("base64") : bytes);
        return;
      }
      case "redirect": {
        const { status = 302, location, then } = current;
        moveTo(then);
        response.writeHead(status, rawHeaders({ location: localizeUrl(location, origin), connection: "close" }));
        response.end();
        return;
      }
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
    // It closes with the last connection, of which the one that keeps the port is there until now.
    const ended = once(listener, "close");
    listener.close();
    for (const socket of sockets) socket.destroy();
    await ended;
  }

  return {
    origin,
    requests,
    rewind: async () => {
      if (takesRequests(host) && !listener.listening) await listen(port);
      current = host;
    },
    close: async () => {
      closed ??= end();
      await closed;
    },
  };
}

/** Node sends header values byte by byte; those of cases are UTF-8. */
function rawHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString("latin1")]),
  );
}

/**
 * Puts the host of a case in the place of the host that a URL names: `https://me:pass@sub.example/s/1` becomes
 * `http://me:pass@127.0.0.1:4711/s/1`. `origin` is such as `http://127.0.0.1:4711`.
 *
 * User name, password, path, query and fragment stay byte for byte as they are written, because they hold the secrets. A text
 * that is no http or https URL stays as it is, such as a relative redirect, and so does a URL whose host is in `.invalid`, which
 * does not exist (RFC 6761, section 6.4). Never throws.
 */
export function localizeUrl(url: string, origin: string): string {
  const [, authority = "", rest = ""] = /^https?:\/\/([^/?#\\]+)(.*)$/is.exec(url) ?? [];
  if (authority === "" || (parseUrl(url)?.hostname ?? ".invalid").endsWith(".invalid")) return url;
  const userinfo = authority.slice(0, authority.lastIndexOf("@") + 1);
  return `http://${userinfo}${new URL(origin).host}${rest}`;
}
