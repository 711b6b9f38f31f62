import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** A load balancer without sticky sessions. */
export interface RoundRobin {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts a proxy that passes each request to the next of several servers. It answers 502 if that server breaks the connection. */
export async function startRoundRobin(targets: () => readonly string[]): Promise<RoundRobin> {
  let next = 0;
  const server = createServer((request, response) => {
    const servers = targets();
    const target = new URL(servers[next++ % servers.length] ?? "");
    const { method, url, headers } = request;
    const forwarded = send({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    forwarded.on("error", () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    request.pipe(forwarded);
  });
  // It passes on the Keep-Alive header of the servers, so it must not close a connection earlier than they do.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
