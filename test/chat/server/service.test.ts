import { createServer } from "node:http";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../../src/base/listen.js";
import { createChatClient } from "../../../src/chat/index.js";
import { chatPlugin, frameworkErrors } from "../../../src/chat/server/fastify.js";
import { type ChatServerOptions, createFetchHandler, type OperationId } from "../../../src/chat/server/index.js";
import { type ExampleCaller, exampleService } from "./example-service.js";

interface Running {
  readonly url: string;
  readonly close: () => Promise<void>;
}
type Start = (options: ChatServerOptions<ExampleCaller>) => Promise<Running>;

const byFastify: Start = async (options) => {
  const app = Fastify();
  await app.register(chatPlugin(options));
  app.get("/api/v1/extra", async () => ({ mine: true }));
  return { url: await app.listen({ port: 0, host: "127.0.0.1" }), close: () => app.close() };
};

/** Serves a web-standard handler, as Deno, Bun and workers do. */
const byFetch: Start = async (options) => {
  const handle = createFetchHandler(options);
  return listen(
    createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      const body = pieces.length === 0 ? {} : { body: Buffer.concat(pieces) };
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const answer = await handle(
        new Request(`http://localhost${request.url}`, { method: request.method ?? "GET", headers, ...body }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    }),
  );
};

const login = { Authorization: `Basic ${btoa("iago@example.com:key:1")}` };
const form = { ...login, "Content-Type": "application/x-www-form-urlencoded" };

describe.each([
  ["Fastify", byFastify],
  ["fetch", byFetch],
] as const)("a server of handlers, on %s", (_, start) => {
  const seen: [OperationId, object][] = [];
  const errors: unknown[] = [];
  let server: Running;
  beforeAll(async () => {
    server = await start(exampleService({ validateResponses: true, onError: (error) => errors.push(error) }, seen));
  });
  afterAll(() => server.close());

  const call = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.url}/api/v1${path}`, { method, headers: form, ...init });
    return {
      status: response.status,
      type: response.headers.get("Content-Type"),
      headers: response.headers,
      body: await response.json(),
    };
  };

  const success = (fields: object) => ({ result: "success", msg: "", ...fields });
  const error = (code: string, msg: unknown) => ({ result: "error", code, msg });
  const asJson = { ...login, "Content-Type": "application/json" };
  // The contract shows on the reference server what the stub responds; this shows that each framework passes it on.
  it.each<[request: string, status: number, body: object, init?: RequestInit]>([
    [
      "DELETE /users/me/subscriptions",
      200,
      success({ removed: ["a"], not_removed: [] }),
      { body: 'subscriptions=["a"]' },
    ],
    ['DELETE /users/me/subscriptions?subscriptions=["q"]', 200, success({ removed: ["q"], not_removed: [] })],
    ["DELETE /attachments/3", 501, error("NOT_IMPLEMENTED", "deleteAttachment is not implemented")],
    ["DELETE /users/me", 401, error("UNAUTHORIZED", expect.any(String)), { headers: {} }],
    ["GET /nothing", 404, error("BAD_REQUEST", "No operation has this path")],
    ["POST /users/me", 405, error("BAD_REQUEST", "Method not allowed"), { body: "a=b" }],
    [
      "POST /users/me/muted_users/5",
      415,
      error("BAD_REQUEST", expect.stringContaining("application/json is not supported")),
      { headers: asJson, body: "{}" },
    ],
  ])("responds to %s with %i", async (request, status, body, init) => {
    const [method = "", path = ""] = request.split(" ");
    const answer = await call(method, path, init);
    expect(answer).toMatchObject({ status, type: "application/json", body });
    expect(Object.keys(answer.body).sort()).toEqual(Object.keys(body).sort());
  });

  it("sends Allow and WWW-Authenticate", async () => {
    expect((await call("POST", "/attachments/3")).headers.get("Allow")).toBe("DELETE");
    expect((await call("DELETE", "/users/me", { headers: {} })).headers.get("WWW-Authenticate")).toBe(
      'Basic realm="chat"',
    );
  });

  it("passes decoded parameters and the caller to handlers", async () => {
    const chat = createChatClient({ baseUrl: server.url, email: "iago@example.com", apiKey: "key:1" });
    seen.length = 0;
    await chat.unsubscribe({ subscriptions: ["a", "b"] });
    await chat.removeNavigationView({ fragment: "narrow/is/starred" });
    await chat.editMessage({ message_id: 21, content: "ä + b", send_notification_to_old_thread: true });
    expect(seen).toEqual([
      ["unsubscribe", { subscriptions: ["a", "b"], caller: { email: "iago@example.com" } }],
      ["removeNavigationView", { fragment: "narrow/is/starred" }],
      ["editMessage", { message_id: 21, content: "ä + b", send_notification_to_old_thread: true }],
    ]);
    const uploaded = await chat.uploadFile({ file: new File(["text"], "x.txt") });
    expect(uploaded).toMatchObject({ ok: true, data: { filename: "text.txt" } });
  });

  it("reports an error to onError, and no details to the client", async () => {
    errors.length = 0;
    const answer = await call("POST", "/users/me/muted_users/2");
    expect(answer).toMatchObject({
      status: 500,
      body: { result: "error", code: "INTERNAL_SERVER_ERROR", msg: "Internal server error" },
    });
    expect(errors).toEqual([new Error("the database is gone: secret")]);
  });

  it("replaces an invalid response with an error with validateResponses", async () => {
    errors.length = 0;
    expect((await call("GET", "/users/5/status")).status).toBe(500);
    expect(String(errors[0])).toMatch(
      /getUserStatus answered 200 with a body that the contract does not allow: \/status\/away must be boolean/,
    );
    const unchecked = await start(exampleService());
    const answer = await fetch(`${unchecked.url}/api/v1/users/5/status`, { headers: login });
    expect(await answer.json()).toMatchObject({ status: { away: "yes" } });
    await unchecked.close();
  });
});

describe("the Fastify plugin", () => {
  it("returns an envelope for a path with malformed percent-encoding", async () => {
    const app = Fastify({ frameworkErrors });
    await app.register(chatPlugin(exampleService()));
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const response = await fetch(`${url}/api/v1/users/%zz/status`, { headers: login });
    expect([response.status, response.headers.get("Content-Type"), await response.json()]).toEqual([
      400,
      "application/json",
      { result: "error", code: "BAD_REQUEST", msg: "The request is malformed" },
    ]);
    const odd = await fetch(`${url}/api/v1/users/me/muted_users/5`, {
      method: "POST",
      headers: { ...login, "Content-Type": "foo" },
      body: "x",
    });
    expect([odd.status, odd.headers.get("Content-Type")]).toEqual([415, "application/json"]);
    await app.close();
  });

  it("strips its prefix from the path", async () => {
    const app = Fastify();
    await app.register(chatPlugin(exampleService()), { prefix: "/realm" });
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    expect((await fetch(`${url}/realm/api/v1/server_settings`)).status).toBe(200);
    await app.close();
  });

  it("does not affect other routes of the app", async () => {
    const server = await byFastify(exampleService());
    expect(await (await fetch(`${server.url}/api/v1/extra`)).json()).toEqual({ mine: true });
    await server.close();
  });
});
