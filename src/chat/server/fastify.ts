import type { FastifyInstance } from "fastify";
import { type ChatServerOptions, createChatService } from "./create-chat-service.js";

/**
 * Makes a Fastify plugin of an implementation of the chat service. It serves everything below `/api/v1` that no route of yours
 * serves, such as `/api/v1/tus`: `app.register(chatPlugin(options))`.
 */
export function chatPlugin<Caller>(options: ChatServerOptions<Caller>): (app: FastifyInstance) => Promise<void> {
  const serve = createChatService(options);
  return async (app) => {
    // The service reads bodies itself, whatever their type.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    app.all("/api/v1/*", async (request, reply) => {
      const { status, headers, body } = await serve({
        method: request.method,
        target: request.raw.url ?? "",
        header: (name) => {
          const value = request.headers[name];
          return Array.isArray(value) ? value.join(", ") : value;
        },
        body: request.raw,
      });
      // As bytes, because Fastify adds a charset to the type of a text.
      return reply.code(status).headers(headers).send(Buffer.from(body));
    });
  };
}
