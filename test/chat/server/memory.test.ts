import { describe, expect, it } from "vitest";
import { createChatService, type ServiceRequest } from "../../../src/chat/server/index.js";
import { defaultBodyPace, SlowBodyError } from "../../../src/http/receive-body.js";
import { createCallerQueue } from "../../../src/runtime/rest/server/caller-queue.js";
import { exampleService } from "./example-service.js";

describe("createCallerQueue", () => {
  it("runs N jobs of a caller concurrently and queues the rest in order, without delaying other callers", async () => {
    const queue = createCallerQueue(1);
    const log: string[] = [];
    let finish = () => {};
    const stuck = queue("ann", () => new Promise<void>((resolve) => (finish = resolve)));
    const next = queue("ann", async () => void log.push("ann 2"));
    await queue("bob", async () => void log.push("bob"));
    finish();
    await Promise.all([stuck, next]);
    expect(log).toEqual(["bob", "ann 2"]);
  });

  it("continues after a failed job", async () => {
    const queue = createCallerQueue(1);
    const failed = queue("ann", () => Promise.reject(new Error("broken")));
    const next = queue("ann", async () => "done");
    await expect(failed).rejects.toThrow("broken");
    expect(await next).toBe("done");
  });
});

describe("a chat service", () => {
  const headers: Record<string, string> = {
    authorization: `Basic ${btoa("me@example.com:key:1")}`,
    "content-type": "application/x-www-form-urlencoded",
  };
  const request = (changes: Partial<ServiceRequest>): ServiceRequest => ({
    method: "PATCH",
    target: "/api/v1/messages/1",
    header: (name) => headers[name],
    body: (async function* () {})(),
    ...changes,
  });

  it("returns 408 for a body that arrives too slowly", async () => {
    const serve = createChatService(exampleService());
    async function* body() {
      yield Buffer.from("content=");
      throw new SlowBodyError(defaultBodyPace);
    }
    const { status, body: text, headers } = await serve(request({ body: body() }));
    expect([status, JSON.parse(String(text)).result, headers.Connection]).toEqual([408, "error", "close"]);
  });

  it("returns 503 with Retry-After while the caller's memory is in use, and serves again afterwards", async () => {
    const serve = createChatService(exampleService({ memory: { maxBytesPerCaller: 5 } }));
    const part = () =>
      (async function* () {
        yield Buffer.from("content=abc");
      })();
    let close = () => {};
    const closed = new Promise<void>((resolve) => (close = resolve));
    expect((await serve(request({ body: part(), closed }))).status).toBe(200);
    const refused = await serve(request({ body: part() }));
    expect([refused.status, refused.headers["Retry-After"], JSON.parse(String(refused.body)).code]).toEqual([
      503,
      "1",
      "SERVICE_UNAVAILABLE",
    ]);
    close();
    await closed;
    await new Promise(setImmediate);
    expect((await serve(request({ body: part() }))).status).toBe(200);
  });

  it.each([
    ["fulfilled", () => Promise.resolve()],
    ["rejected", () => Promise.reject(new Error("the connection broke"))],
  ])("releases the memory of a response once `closed` is %s", async (_, closed) => {
    const serve = createChatService(exampleService({ memory: { maxBytesPerCaller: 15 } }));
    for (let count = 0; count < 2; count++) {
      expect((await serve(request({ body: form(), closed: closed() }))).status).toBe(200);
      await new Promise(setImmediate);
    }
  });

  const withAuthorization =
    (value: string): ServiceRequest["header"] =>
    (name) =>
      name === "authorization" ? value : headers[name];
  const held = new Promise<void>(() => {});
  const form = () =>
    (async function* () {
      yield Buffer.from("content=abc");
    })();

  it.each(["basic ", "BASIC  "])(
    "counts requests with the scheme %j and the same credentials as one caller's",
    async (scheme) => {
      const serve = createChatService(exampleService({ memory: { maxBytesPerCaller: 15 } }));
      expect((await serve(request({ body: form(), closed: held }))).status).toBe(200);
      const header = withAuthorization(`${scheme}${btoa("ME@example.com:key:1")}=`);
      expect((await serve(request({ body: form(), header }))).status).toBe(503);
    },
  );

  it("counts all requests as one caller's if credentials are not checked", async () => {
    const serve = createChatService(exampleService({ memory: { maxBytesPerCaller: 15 } }));
    const settings = { method: "GET", target: "/api/v1/server_settings" };
    const statuses: number[] = [];
    for (const name of ["a", "b"]) {
      const header = withAuthorization(`Basic ${btoa(`${name}:x`)}`);
      statuses.push((await serve(request({ ...settings, body: form(), header, closed: held }))).status);
    }
    expect(statuses).toEqual([200, 503]);
  });
});
