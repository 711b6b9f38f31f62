import { describe, expect, it } from "vitest";
import { createFetchHandler, refuse } from "../../../src/chat/server/index.js";
import { exampleService } from "./example-service.js";

const login = { Authorization: `Basic ${btoa("iago@example.com:key:1")}` };
const form = { ...login, "Content-Type": "application/x-www-form-urlencoded" };

describe("createFetchHandler", () => {
  const handle = createFetchHandler(exampleService({ onError: () => {} }));
  const request = (method: string, path: string, init: RequestInit & { duplex?: "half" } = {}) =>
    new Request(`http://localhost/api/v1${path}`, { method, headers: form, ...init });
  const answer = async (...args: Parameters<typeof request>) => {
    const response = await handle(request(...args));
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  };

  it("responds to HEAD and OPTIONS", async () => {
    const head = await answer("HEAD", "/server_settings");
    expect([head.status, head.body, head.headers.get("Content-Type")]).toEqual([200, undefined, "application/json"]);
    const get = await handle(request("GET", "/server_settings"));
    expect(head.headers.get("Content-Length")).toBe(String((await get.arrayBuffer()).byteLength));
    const options = await answer("OPTIONS", "/server_settings");
    expect([options.status, options.body, options.headers.get("Allow")]).toEqual([204, undefined, "GET, HEAD"]);
  });

  it.each<[string, RequestInit, number, RegExp]>([
    ["a form of a million fields", { body: "a&".repeat(500_000) }, 400, /more than 1000 fields/],
    ["a form that is too large", { body: `content=${"x".repeat(1_100_000)}` }, 413, /larger than 1048576 bytes/],
    [
      "a multipart body of a hundred thousand parts",
      {
        headers: { ...login, "Content-Type": "multipart/form-data; boundary=b" },
        body: '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(100_000),
      },
      400,
      /more than 1000 fields/,
    ],
    [
      "a multipart body without a boundary",
      { headers: { ...login, "Content-Type": "multipart/form-data" }, body: "x" },
      400,
      /malformed/,
    ],
    [
      "a compressed body",
      { headers: { ...form, "Content-Encoding": "gzip" }, body: "x" },
      415,
      /gzip is not supported/,
    ],
  ])("rejects %s", async (_, init, status, message) => {
    expect(await answer("PATCH", "/messages/21", init)).toMatchObject({
      status,
      body: { result: "error", code: "BAD_REQUEST", msg: expect.stringMatching(message) },
    });
  });

  it("says without being called that an operation is not implemented", async () => {
    const options = await answer("OPTIONS", "/messages/21/typing");
    expect(options).toMatchObject({ status: 204 });
    expect(options.headers.get("Allow")).toBe("OPTIONS");
    expect((await answer("POST", "/messages/21/typing", { body: "op=none" })).status).toBe(501);
  });

  it("survives a client that disconnects at any point of the request", async () => {
    const leave: (() => void)[] = [];
    const abortedBody = () =>
      new ReadableStream({ start: (body) => void leave.push(() => body.error(new Error("client gone"))) });
    const errors: unknown[] = [];
    const slow = createFetchHandler(
      exampleService({
        authenticate: async () => {
          leave.pop()?.();
          return { email: "iago@example.com" };
        },
        onError: (error) => errors.push(error),
      }),
    );
    const statuses = [
      await handle(request("POST", "/nothing", { body: abortedBody(), duplex: "half" })),
      await handle(request("PATCH", "/messages/21", { body: abortedBody(), duplex: "half", headers: {} })),
      await slow(request("PATCH", "/messages/21", { body: abortedBody(), duplex: "half" })),
    ].map(({ status }) => status);
    // Also after the response; an unhandled rejection would fail the run.
    for (const go of leave) go();
    await new Promise(setImmediate);
    expect(statuses).toEqual([404, 401, 400]);
    expect(errors).toEqual([]);
  });

  it.each([[null], [undefined], [false]])("treats %s from authenticate as unknown credentials", async (caller) => {
    const open = createFetchHandler(exampleService({ authenticate: () => caller as undefined }));
    expect((await open(request("DELETE", "/users/me"))).status).toBe(401);
  });

  it("calls authorize before it checks parameters", async () => {
    const guarded = createFetchHandler(
      exampleService({
        authorize: (operationId) =>
          operationId === "editMessage" ? refuse(400, { code: "BAD_REQUEST", msg: "Not you" }) : undefined,
      }),
    );
    expect(await (await guarded(request("PATCH", "/messages/x"))).json()).toMatchObject({ msg: "Not you" });
  });

  it("sends the headers of a refusal, and protects the envelope", async () => {
    const limited = await answer("POST", "/users/me/muted_users/4");
    expect([limited.status, limited.headers.get("Retry-After"), limited.body.result]).toEqual([429, "7", "error"]);
  });

  it("validates refusals too, and responds even if onError throws", async () => {
    const strict = createFetchHandler(
      exampleService({
        validateResponses: true,
        onError: () => {
          throw new Error("the log is full");
        },
      }),
    );
    expect((await strict(request("POST", "/users/me/muted_users/3"))).status).toBe(500);
  });

  it("reports the first invalid parameter in the order of the contract", async () => {
    expect((await answer("PATCH", "/messages/21", { body: "stream_id=x&propagate_mode=zz" })).body.msg).toMatch(
      /^Argument 'propagate_mode'/,
    );
    expect((await answer("PATCH", "/messages/x", { body: "propagate_mode=zz" })).body.msg).toMatch(
      /^Argument 'message_id'/,
    );
  });

  it.each([["file"], ["more"]])("refuses a second file, in part %s", async (part) => {
    const body = new FormData();
    body.append("file", new File(["one"], "1.txt"));
    body.append(part, new File(["two"], "2.txt"));
    expect(await answer("POST", "/user_uploads", { body, headers: login })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "Argument 'file' must be exactly one file" },
    });
  });

  it.each([[-1], [1.5], [Number.NaN]])("rejects the feature level %d", (featureLevel) => {
    expect(() => createFetchHandler(exampleService({ featureLevel }))).toThrow(RangeError);
  });

  it("rejects a refusal with a success status", () => {
    expect(() => refuse(200, { code: "BAD_REQUEST", msg: "x" })).toThrow("200 is not an error status");
  });
});
