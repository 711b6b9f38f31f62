import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { onTestFinished } from "vitest";

/** A key and a certificate for sub.northwind.example, panel.tailspin.example, localhost, 127.0.0.1 and 93.184.216.34. */
export const certificate = readFileSync(new URL("tls/test-only-certificate.pem", import.meta.url), "utf8");
const key = readFileSync(new URL("tls/test-only-key.pem", import.meta.url), "utf8");

/** The bytes of a response, or a function that gets the connection after a request has arrived. */
export type Answer = string | Buffer | ((socket: Socket, head: string, count: number) => void);

/** A host whose responses a test controls byte by byte. */
export interface Host {
  readonly port: number;
  /** The received requests, each from the request line to the empty line. */
  readonly requests: readonly string[];
  readonly connections: () => number;
  /** The number of open connections. */
  readonly open: () => number;
}

/** Options of a host. */
export interface HostOptions {
  readonly tls?: boolean;
  /** Defaults to `127.0.0.1`. */
  readonly address?: string;
}

/** Starts a server that answers every request until the end of the test. It closes a connection after sending bytes. */
export async function startHost(
  answer: Answer,
  { tls = false, address = "127.0.0.1" }: HostOptions = {},
): Promise<Host> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let connections = 0;
  const serve = (socket: Socket) => {
    let head = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      head += text;
      if (!head.includes("\r\n\r\n")) return;
      const count = requests.push(head);
      const requestHead = head;
      head = "";
      if (typeof answer === "function") answer(socket, requestHead, count);
      else socket.end(answer);
    });
  };
  const server = tls ? createTlsServer({ key, cert: certificate }, serve) : createServer(serve);
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("secureConnection", (socket: Socket) => socket.on("error", () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { port, requests, connections: () => connections, open: () => sockets.size };
}

/** A response with a status line, headers and a body of known length. */
export function answerOf(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: string | Buffer = "",
): Buffer {
  const lines = Object.entries({ "Content-Length": String(Buffer.byteLength(body)), ...headers });
  const head = [`HTTP/1.1 ${status} Some Reason`, ...lines.map(([name, value]) => `${name}: ${value}`), "", ""];
  return Buffer.concat([Buffer.from(head.join("\r\n"), "utf8"), Buffer.from(body)]);
}

/** A port of 127.0.0.1 on which nothing listens. */
export async function refusingPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
