import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type ErrorFields, Refusal, type ServiceRequest, type ServiceResponse } from "../../src/chat/server/index.js";
import type { Logger as LoggerOf } from "../logging/create-logger.js";
import { toServiceRequest, writeError, writeJson } from "./http/node-http.js";
import type { PageAccess, Serve } from "./http/page-access.js";
import { refusalOf } from "./refusals.js";
import type { States } from "./states/create-states.js";
import { serveStates } from "./states/serve-states.js";
import { uploadsPrefix } from "./uploads/file-metadata.js";
import { tusPath } from "./uploads/parts.js";

/** The logged fields of a request. They contain no header, key, text or query. */
export interface RequestLog {
  readonly requestId: string;
  readonly method: string;
  /** The operation, or the kind of any other path, but never the path itself. */
  readonly operation: string;
  readonly status: number;
  /** False if the client disconnected before the response was complete. */
  readonly answered: boolean;
  readonly durationMs: number;
}

/** The log of a chat server. */
export type Logger = LoggerOf<RequestLog>;

/** The handlers of the paths. */
export interface Parts {
  readonly chat: (request: ServiceRequest) => Promise<ServiceResponse>;
  /** Serves `/user_uploads/…`. */
  readonly uploads: Serve;
  /** Serves `/api/v1/tus`; undefined at feature levels without it. */
  readonly tus?: Serve;
  /** Serves `/states`; undefined unless enabled. */
  readonly states?: States;
  /** Decides which requests from web pages are served. */
  readonly pages: PageAccess;
  readonly logger: Logger;
}

/**
 * Creates the listener of the HTTP server: it routes requests by path, logs them, and responds to internal errors in
 * the envelope.
 */
export function createRequestListener({ chat, uploads, tus, states, pages, logger }: Parts): RequestListener {
  /** Finds the handler of a path and the name under which it is logged, because the path itself must not be logged. */
  function partFor(path: string): { readonly operation: string; readonly serve: Serve } | undefined {
    if (path === "/healthz") return { operation: "healthz", serve: onlyReads(answerHealth) };
    if (path.startsWith(uploadsPrefix)) return { operation: "user_uploads", serve: uploads };
    if (tus !== undefined && (path === tusPath || path.startsWith(`${tusPath}/`)))
      return { operation: "createResumableUpload", serve: tus };
    if (states !== undefined && path === "/states")
      return {
        operation: "states",
        serve: pages.onlyFromThisMachine((request, response) => serveStates(states, request, response)),
      };
    return undefined;
  }

  return (request, response) => {
    const started = performance.now();
    const requestId = randomUUID();
    response.setHeader("X-Request-Id", requestId);
    const part = partFor((request.url ?? "").split("?", 1)[0] ?? "");
    let operation = part?.operation ?? "unknown path";
    response.on("close", () => {
      const durationMs = Math.round((performance.now() - started) * 1000) / 1000;
      const { method = "" } = request;
      const { statusCode: status, writableFinished: answered } = response;
      logger.request({ requestId, method, operation, status, answered, durationMs });
    });

    if (pages.answer(request, response)) {
      operation = "preflight";
      return;
    }

    async function serveChat(): Promise<void> {
      const answer = await chat(toServiceRequest(request, response));
      operation = answer.operationId ?? operation;
      writeJson(response, answer.status, String(answer.body), answer.headers);
    }

    Promise.resolve(part === undefined ? serveChat() : part.serve(request, response)).catch((error: unknown) => {
      logger.fault(error, operation);
      const refusal = error instanceof Refusal ? error : refusalOf(error);
      if (response.headersSent) response.destroy();
      else if (refusal !== undefined) writeRefusal(response, refusal);
      else writeError(response, 500, "Internal server error", { code: "INTERNAL_SERVER_ERROR" });
    });
  };
}

function writeRefusal(response: ServerResponse, { status, fields, headers = {} }: Refusal): void {
  // All refusals of this server have them.
  const { code, msg } = fields as ErrorFields;
  writeError(response, status, msg, { code, headers });
}

function answerHealth(_request: IncomingMessage, response: ServerResponse): void {
  writeJson(response, 200, '{"status":"ok"}');
}

/** Refuses methods other than GET and HEAD. */
function onlyReads(serve: Serve): Serve {
  return (request, response) => {
    if (request.method === "GET" || request.method === "HEAD") return serve(request, response);
    writeError(response, 405, "Method not allowed", { headers: { Allow: "GET, HEAD" } });
  };
}
