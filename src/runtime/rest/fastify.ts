import { Server as Http1Server } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { continueWhenRead, lingerAfterAnswers } from "../../http/early-answers.js";
import { hostProblem } from "../../http/malformed-requests.js";
import { receiveBody } from "../../http/receive-body.js";
import { disconnectIfUnread } from "../../http/unread-answers.js";
import type { FailService, Service, ServiceResponse } from "./server/service.js";

/** Creates a Fastify plugin that serves an API: everything below its path, such as `/v1`, except your own routes. */
export function fastifyPlugin(serve: Service): (app: FastifyInstance) => Promise<void> {
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
      if (problem !== undefined) return send(reply, serve.fail(400, problem));
      const response = await serve({
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
      return send(reply, response);
    };
    app.all(`${serve.prefix}/*`, { onRequest }, async () => undefined);
  };
}

/**
 * Creates a function that responds to requests that Fastify cannot route, such as a path with malformed percent-encoding, with an error of the
 * API. Pass it to `Fastify({ frameworkErrors })`, because a plugin cannot set it.
 */
export function createFrameworkErrors(
  fail: FailService,
): (error: { statusCode?: number }, _request: unknown, reply: FastifyReply) => void {
  return (error, _, reply) => void send(reply, fail(error.statusCode ?? 400, "The request is malformed"));
}

function send(reply: FastifyReply, { status, headers, body }: ServiceResponse): FastifyReply {
  // Fastify would add a charset to the type of a string.
  return reply
    .code(status)
    .headers(headers)
    .send(Buffer.from(body as string));
}
