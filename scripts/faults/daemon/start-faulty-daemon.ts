import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttp1Server } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { createHandlers } from "../../../reference/daemon/handlers.js";
import { createServices } from "../../../reference/daemon/services.js";
import type { DaemonBehaviour, Handlers, Listener, Log } from "./behaviour.js";
import { changedServices } from "./changed-services.js";

/** A daemon that listens. */
export interface FaultyDaemon {
  /** Such as `unix:/tmp/daemon-fault-x/daemon.sock`. */
  readonly address: string;
  readonly logFile: string;
  /** Stops the daemon and removes its socket and log. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a reference daemon with an empty store and a behaviour. Connect's own server serves it, because the server of this package cleans
 * the metadata of errors. gRPC uses HTTP/2, the other protocols HTTP/1.1.
 */
export async function startFaultyDaemon(behaviour: DaemonBehaviour): Promise<FaultyDaemon> {
  const {
    protocol = "grpc",
    contract,
    fetchTimeoutMs,
    imports,
    handlers: change = (honest) => honest,
    listener,
  } = behaviour;
  const folder = mkdtempSync(join(tmpdir(), "daemon-fault-"));
  const [socket, logFile] = [join(folder, "daemon.sock"), join(folder, "daemon.log")];
  writeFileSync(logFile, "");
  const log: Log = (line) => appendFileSync(logFile, `${line}\n`);
  const reference = createServices({ allowPrivate: true, fetchTimeoutMs });
  const { database, importSubscription } = reference;
  const services = { database, importSubscription: imports?.(importSubscription) ?? importSubscription };
  const handlers = logged(change(createHandlers(services), log, services), log);
  const { subscriptions, mesh } = changedServices(contract);
  const honest = connectNodeAdapter({
    fallback: answerUnimplemented,
    routes: (router) => {
      router.service(subscriptions, handlers);
      router.service(mesh, handlers);
    },
  });
  const answer = listener === undefined ? honest : listener(honest);
  // Idle connections stay open, so that none ends just when a slow verification uses it again.
  const server = protocol === "grpc" ? createHttp2Server(answer) : createHttp1Server({ keepAliveTimeout: 0 }, answer);
  const open = new Set<ServerHttp2Session | Socket>();
  server.on(protocol === "grpc" ? "session" : "connection", (connection) => open.add(connection));
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(socket, done);
  });
  return {
    address: `unix:${socket}`,
    logFile,
    close: async () => {
      for (const connection of open) connection.destroy();
      await new Promise((done) => server.close(done));
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Returns UNIMPLEMENTED for unknown RPCs, as most servers do; Connect's server returns HTTP 404. */
const answerUnimplemented: Listener = (request, response) => {
  const type = request.headers["content-type"] ?? "";
  request.resume();
  if (type.startsWith("application/grpc")) {
    response.writeHead(200, { "content-type": type, "grpc-status": "12", "grpc-message": "There is no such method" });
    response.end();
  } else {
    response.writeHead(501, { "content-type": "application/json" });
    response.end('{"code":"unimplemented","message":"There is no such method"}');
  }
};

/** Logs the RPC and status of each call, but none of its messages. */
function logged(handlers: Partial<Handlers>, log: Log): Partial<Handlers> {
  const { previewImport, applyImport, selectNode, loginCancel } = handlers;
  const wrap =
    <Request, Context, Reply>(name: string, handler: (request: Request, context: Context) => Reply | Promise<Reply>) =>
    async (request: Request, context: Context) => {
      try {
        const reply = await handler(request, context);
        log(`${name} ok`);
        return reply;
      } catch (error) {
        log(`${name} ${Code[ConnectError.from(error).code]}`);
        throw error;
      }
    };
  return {
    ...(previewImport && { previewImport: wrap("PreviewImport", previewImport) }),
    ...(applyImport && { applyImport: wrap("ApplyImport", applyImport) }),
    ...(selectNode && { selectNode: wrap("SelectNode", selectNode) }),
    ...(loginCancel && { loginCancel: wrap("LoginCancel", loginCancel) }),
  };
}
