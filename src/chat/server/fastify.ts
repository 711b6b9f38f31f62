import { Server as Http1Server } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { continueWhenRead, lingerAfterAnswers } from "../../http/early-answers.js";
import { hostProblem } from "../../http/malformed-requests.js";
import { receiveBody } from "../../http/receive-body.js";
import { disconnectIfUnread } from "../../http/unread-answers.js";
import { type ChatServerOptions, createChatService } from "./create-chat-service.js";
import { errorEnvelope } from "./error-envelope.js";

/**
 * Creates a Fastify plugin that serves an implementation of the chat service: `app.register(chatPlugin(options))`. It serves
 * everything below `/api/v1` except your own routes, such as `/api/v1/tus`.
 */
export function chatPlugin<Caller extends object>(
  options: ChatServerOptions<Caller>,
): (app: FastifyInstance) => Promise<void> {
  const serve = createChatService(options);
  return async (app) => {
    // With HTTP/2, a refused request can be reset without losing the response.
    const server: unknown = app.server;
    const isHttp1 = server instanceof Http1Server || server instanceof HttpsServer;
    if (isHttp1) {
      lingerAfterAnswers(server);
      continueWhenRead(server);
    }
    // Respond before Fastify parses the body: the service reads bodies of all types itself.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      const problem = isHttp1 ? hostProblem(request.raw) : undefined;
      if (problem !== undefined) return sendError(reply, 400, problem);
      const { status, headers, body } = await serve({
        method: request.method,
        target: (request.raw.url ?? "").slice(app.prefix.length),
        header: (name) => {
          const value = request.headers[name];
          return Array.isArray(value) ? value.join(", ") : value;
        },
        body: receiveBody(request.raw),
        closed: new Promise<void>((resolve) => reply.raw.once("close", resolve)),
      });
      // An unread response holds memory that others need.
      if (isHttp1) disconnectIfUnread(reply.raw);
      return reply.code(status).headers(headers).send(bytesOf(body));
    };
    app.all("/api/v1/*", { onRequest }, async () => undefined);
  };
}

/**
 * Responds to requests that Fastify cannot route, such as a path with malformed percent-encoding, with the envelope of the API. Pass it to
 * `Fastify({ frameworkErrors })`, because a plugin cannot set it.
 */
export function frameworkErrors(error: { statusCode?: number }, _request: unknown, reply: FastifyReply): void {
  sendError(reply, error.statusCode ?? 400, "The request is malformed");
}

function sendError(reply: FastifyReply, status: number, msg: string): FastifyReply {
  const body = bytesOf(JSON.stringify(errorEnvelope(msg)));
  return reply.code(status).header("Content-Type", "application/json").send(body);
}

/** Fastify would add a charset to the type of a string. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text);
}
