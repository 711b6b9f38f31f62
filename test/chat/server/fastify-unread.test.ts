import { once } from "node:events";
import { connect, type Socket } from "node:net";
import Fastify from "fastify";
import { expect, it } from "vitest";
import { chatPlugin } from "../../../src/chat/server/fastify.js";
import { exampleService } from "./example-service.js";

const longName = "x".repeat(32 * 1024 * 1024);

it("disconnects a client that does not read a response of the plugin, but not one that waits for another route", async () => {
  const app = Fastify();
  const example = exampleService();
  const handlers = { ...example.handlers, getServerSettings: () => ({ realm_name: longName }) };
  await app.register(chatPlugin({ ...example, handlers }));
  app.get("/late", async (request) => String(request.raw.socket.timeout ?? 0));
  const connections: Socket[] = [];
  app.server.on("connection", (socket: Socket) => connections.push(socket));
  try {
    const url = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
    const silent = connect({ host: url.hostname, port: Number(url.port) });
    silent.pause().on("error", () => {});
    silent.write("GET /api/v1/server_settings HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => connections[0]?.timeout).toBe(30_000);
    // Runs the timeout listeners instead of waiting.
    connections[0]?.emit("timeout");
    await expect.poll(() => connections[0]?.destroyed).toBe(true);
    silent.destroy();

    const patient = connect({ host: url.hostname, port: Number(url.port) });
    patient.write("GET /api/v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(patient, "data");
    let answer = "";
    patient.on("data", (piece) => {
      answer += piece;
    });
    patient.write("GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    await once(patient, "close");
    expect(answer).toMatch(/\r\n\r\n0$/);
  } finally {
    await app.close();
  }
});
