import { Server as Http1Server } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { continueWhenRead, lingerAfterAnswers } from "../../http/early-answers.js";
import { receiveBody } from "../../http/receive-body.js";
import { type ChatServerOptions, createChatService } from "./create-chat-service.js";

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
    if (server instanceof Http1Server || server instanceof HttpsServer) {
      lingerAfterAnswers(server);
      continueWhenRead(server);
    }
    // Respond before Fastify parses the body: the service reads bodies of all types itself.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
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
      // Send bytes, because Fastify would add a charset to the type of a string.
      return reply.code(status).headers(headers).send(Buffer.from(body));
    };
    app.all("/api/v1/*", { onRequest }, async () => undefined);
  };
}

/**
 * Answers requests that Fastify cannot route, such as a path with malformed percent-encoding, with the envelope of the API. Pass it to
 * `Fastify({ frameworkErrors })`, because a plugin cannot set it.
 */
export function frameworkErrors(error: { statusCode?: number }, _request: unknown, reply: FastifyReply): void {
  const body = JSON.stringify({ result: "error", code: "BAD_REQUEST", msg: "The request is malformed" });
  reply
    .code(error.statusCode ?? 400)
    .header("Content-Type", "application/json")
    .send(Buffer.from(body));
}
