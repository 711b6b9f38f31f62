import type { FastifyInstance } from "fastify";
import { createFrameworkErrors, fastifyPlugin } from "../../runtime/rest/fastify.js";
import { type ChatServerOptions, createChatService } from "./create-chat-service.js";
import { fail } from "./service-response.js";

/**
 * Creates a Fastify plugin that serves an implementation of the chat service: `app.register(chatPlugin(options))`. It serves
 * everything below `/api/v1` except your own routes, such as `/api/v1/tus`.
 */
export function chatPlugin<Caller extends object>(
  options: ChatServerOptions<Caller>,
): (app: FastifyInstance) => Promise<void> {
  return fastifyPlugin(createChatService(options));
}

/** Responds to requests that Fastify cannot route, like `createFrameworkErrors`. Pass it to `Fastify({ frameworkErrors })`. */
export const frameworkErrors = createFrameworkErrors(fail);
