import { Server as Http1Server } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { continueWhenRead, lingerAfterAnswers } from "../../http/early-answers.js";
import { errorEnvelope } from "../../http/envelope-server.js";
import { hostProblem } from "../../http/malformed-requests.js";
import { receiveBody } from "../../http/receive-body.js";
import { cutOffUnread } from "../../http/unread-answers.js";
import { type ChatServerOptions, createChatService } from "./create-chat-service.js";

/**
 * Makes a Fastify plugin of an implementation of the chat service. It serves everything below `/api/v1` that no route of yours
 * serves, such as `/api/v1/tus`: `app.register(chatPlugin(options))`.
 */
export function chatPlugin<Caller extends object>(
  options: ChatServerOptions<Caller>,
): (app: FastifyInstance) => Promise<void> {
  const serve = createChatService(options);
  return async (app) => {
    // Fastify may also be told to speak HTTP/2, where a refused request is reset without losing the answer.
    const server: unknown = app.server;
    const isHttp1 = server instanceof Http1Server || server instanceof HttpsServer;
    if (isHttp1) {
      lingerAfterAnswers(server);
      continueWhenRead(server);
    }
    // Answered before Fastify looks at the body, which the service reads itself, whatever its type.
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
      // Until it is read it holds memory that others could have.
      if (isHttp1) cutOffUnread(reply.raw);
      // As bytes, because Fastify adds a charset to the type of a text.
      return reply.code(status).headers(headers).send(Buffer.from(body));
    };
    app.all("/api/v1/*", { onRequest }, async () => undefined);
  };
}

/**
 * Answers what is no request for any route, such as a path with broken percent-encoding, in the envelope of the API. It is an
 * option of the app, since a plugin cannot set it: `Fastify({ frameworkErrors })`.
 */
export function frameworkErrors(error: { statusCode?: number }, _request: unknown, reply: FastifyReply): void {
  sendError(reply, error.statusCode ?? 400, "The request is malformed");
}

function sendError(reply: FastifyReply, status: number, msg: string): FastifyReply {
  // As bytes, because Fastify adds a charset to the type of a text.
  const body = Buffer.from(JSON.stringify(errorEnvelope(msg)));
  return reply.code(status).header("Content-Type", "application/json").send(body);
}
