import Fastify from "fastify";
import { expect, it } from "vitest";
import { chatPlugin } from "../../src/chat/server/fastify.js";
import { exampleService } from "../chat/server/example-service.js";
import { exchangeBytes } from "../support/raw-http.js";

it("rejects a request with two Host headers in the Fastify plugin", async () => {
  const app = Fastify();
  app.register(chatPlugin(exampleService()));
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  try {
    const request = "GET /api/v1/server_settings HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n";
    const answer = (await exchangeBytes(url, Buffer.from(request), false)).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"BAD_REQUEST".*/s);
  } finally {
    await app.close();
  }
});
