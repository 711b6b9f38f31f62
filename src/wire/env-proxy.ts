import { BlockList, connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** A proxy of the environment. */
export interface EnvProxy {
  readonly url: URL;
  /** The header that it asks for, if its URL has credentials. */
  readonly authorization: string | undefined;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/**
 * Returns the proxy for a URL: that of `HTTPS_PROXY` or `HTTP_PROXY`, by the scheme, in either case of letters. Undefined for hosts of this
 * machine and for those of `NO_PROXY`: names with the domains below them, such as `example.com`, optionally with a port, or `*`.
 */
export function proxyOf(target: URL, environment: NodeJS.ProcessEnv = process.env): EnvProxy | undefined {
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const text = read(target.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (text === undefined || isLocal(hostOf(target)) || isExempt(target, read("NO_PROXY") ?? "")) return undefined;
  const url = new URL(text.includes("://") ? text : `http://${text}`);
  const { username, password } = url;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, authorization: username === "" ? undefined : `Basic ${Buffer.from(login).toString("base64")}` };
}

/** The host of a URL, as sockets take it. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** The port of a URL. */
export function portOf({ protocol, port }: URL): number {
  return Number(port || (protocol === "https:" ? 443 : 80));
}

function isLocal(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? /(?:^|\.)localhost$/i.test(host) : loopback.check(host, version === 6 ? "ipv6" : "ipv4");
}

function isExempt(target: URL, list: string): boolean {
  const host = hostOf(target).toLowerCase();
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const [, name = "", port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (port !== undefined && Number(port) !== portOf(target)) return false;
      return entry === "*" || host === name || host.endsWith(`.${name}`);
    });
}

/** A larger head of a response to CONNECT is an error. */
export const maxConnectBytes = 16 * 1024;

/** Connects to a host through a proxy (RFC 9110, section 9.3.6). Rejects if the proxy cannot be reached, or refuses. */
export function openTunnel({ url, authorization }: EnvProxy, target: URL, signal?: AbortSignal): Promise<Socket> {
  const where = { host: hostOf(url), port: portOf(url) };
  const isTls = url.protocol === "https:";
  const socket = isTls
    ? connectTls({ ...where, ...(isIP(where.host) ? {} : { servername: where.host }) })
    : connect(where);
  const stop = () => socket.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      socket.destroy();
      // No server was reached.
      reject(Object.assign(new Error(`the proxy ${url.origin} ${reason}`), { code: "EHOSTUNREACH" }));
    };
    let head = "";
    const read = () => {
      for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read()) {
        head += piece.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0 && head.length <= maxConnectBytes) continue;
        const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? "something else than HTTP";
        if (end < 0 || !status.startsWith("2")) return fail(`answers ${status} to CONNECT`);
        socket.off("readable", read);
        socket.removeAllListeners("error");
        socket.removeAllListeners("close");
        signal?.removeEventListener("abort", stop);
        socket.unshift(Buffer.from(head.slice(end + 4), "latin1"));
        return resolve(socket);
      }
    };
    socket.on("readable", read);
    socket.once("error", (error) => fail(`cannot be reached: ${error.message}`));
    socket.once("close", () => fail("closed the connection"));
    const authority = `${target.hostname}:${portOf(target)}`;
    const login = authorization === undefined ? "" : `Proxy-Authorization: ${authorization}\r\n`;
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`);
  });
}
