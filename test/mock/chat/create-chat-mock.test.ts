import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ListenError, type Listening } from "../../../src/base/listen.js";
import { createChatMock } from "../../../src/chat/mock.js";

let mock: Listening;
beforeAll(async () => {
  mock = await createChatMock();
});
afterAll(() => mock.close());

const authorization = { Authorization: `Basic ${btoa("me@example.com:a:key:with:colons")}` };
const form = { ...authorization, "Content-Type": "application/x-www-form-urlencoded" };

async function call(method: string, path: string, init: { headers?: Record<string, string>; body?: BodyInit } = {}) {
  const response = await fetch(`${mock.url}${path}`, { method, headers: authorization, ...init });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** The properties of every error that clients can rely on. */
function expectEnvelope(answer: Awaited<ReturnType<typeof call>>, status: number, message: RegExp) {
  expect(answer.body).toMatchObject({ result: "error", msg: expect.stringMatching(message), code: expect.any(String) });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json");
}

const unsubscribe = "/api/v1/users/me/subscriptions";

describe("the chat mock", () => {
  it.each<[string, string, string, RequestInit & { headers?: Record<string, string> }, number, RegExp]>([
    ["a path outside the API", "GET", "/messages", {}, 404, /begins with \/api\/v1/],
    ["an unknown path", "GET", "/api/v1/nothing", {}, 404, /No operation/],
    ["a wrong method", "POST", "/api/v1/messages", {}, 405, /not allowed/],
    ["no credentials", "DELETE", unsubscribe, { headers: {} }, 401, /./],
    ["credentials that are not Basic", "DELETE", unsubscribe, { headers: { Authorization: "Bearer x" } }, 401, /./],
    [
      "credentials without a key",
      "DELETE",
      unsubscribe,
      { headers: { Authorization: `Basic ${btoa("me@example.com:")}` } },
      401,
      /./,
    ],
    ["a missing parameter", "DELETE", unsubscribe, {}, 400, /Missing 'subscriptions' argument/],
    [
      "malformed JSON",
      "DELETE",
      unsubscribe,
      { headers: form, body: "subscriptions=Denmark" },
      400,
      /'subscriptions' must be JSON/,
    ],
    [
      "JSON of another type",
      "DELETE",
      unsubscribe,
      { headers: form, body: 'subscriptions={"a":1}' },
      400,
      /'subscriptions' must be array/,
    ],
    [
      "a nested value of another type",
      "DELETE",
      unsubscribe,
      { headers: form, body: "subscriptions=[1]" },
      400,
      /'subscriptions' at 0 must be string/,
    ],
    [
      "a path value of another type",
      "PATCH",
      "/api/v1/messages/x",
      { headers: form, body: "content=x" },
      400,
      /'message_id' must be an integer/,
    ],
    [
      "a word outside the enumeration",
      "POST",
      "/api/v1/messages/5/typing",
      { headers: form, body: "op=dance" },
      400,
      /'op'.*start, stop/,
    ],
    [
      "malformed JSON in the query",
      "GET",
      "/api/v1/messages?narrow=zzz&num_before=1&num_after=1",
      {},
      400,
      /'narrow' must be JSON/,
    ],
    [
      "a body of another type",
      "DELETE",
      unsubscribe,
      { headers: { ...form, "Content-Type": "application/json" }, body: "{}" },
      415,
      /x-www-form-urlencoded/,
    ],
    [
      "an example that does not exist",
      "DELETE",
      unsubscribe,
      { headers: { ...form, Prefer: "code=400, example=moon" }, body: 'subscriptions=["a"]' },
      400,
      /unknown_channel \(400\)/,
    ],
    [
      "a status that only `default` covers",
      "DELETE",
      unsubscribe,
      { headers: { ...form, Prefer: "code=418" }, body: 'subscriptions=["a"]' },
      418,
      /does not name/,
    ],
    [
      "an example that does not exist, without a status",
      "DELETE",
      unsubscribe,
      { headers: { ...form, Prefer: "example=nothing" }, body: 'subscriptions=["a"]' },
      400,
      /example=nothing\. Examples: .*unknown_channel \(400\)/,
    ],
    [
      "a malformed preference",
      "DELETE",
      unsubscribe,
      { headers: { ...form, Prefer: "code=abc" }, body: 'subscriptions=["a"]' },
      400,
      /must be an HTTP status/,
    ],
  ])("responds to %s in the envelope", async (_, method, path, init, status, message) => {
    expectEnvelope(await call(method, path, init as never), status, message);
  });

  it("accepts valid requests in every encoding of a form", async () => {
    const ways: [string, Record<string, string>, BodyInit][] = [
      ["plus for space", form, "subscriptions=%5B%22a+b%22%5D"],
      ["quotes left alone", form, 'subscriptions=["it\'s (fine)*!"]'],
      [
        "a charset",
        { ...form, "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8" },
        'subscriptions=["a"]',
      ],
      ["white space in JSON", form, 'subscriptions=%20[ "a" ]&principals=[17,%2018]'],
    ];
    for (const [way, headers, body] of ways) {
      expect({ way, status: (await call("DELETE", unsubscribe, { headers, body })).status }).toEqual({
        way,
        status: 200,
      });
    }
    const multipart = new FormData();
    multipart.append("subscriptions", '["a"]');
    expect((await call("DELETE", unsubscribe, { body: multipart })).status).toBe(200);
    expect((await call("DELETE", `${unsubscribe}?subscriptions=["a"]`)).status).toBe(200);
  });

  it("reports unsupported parameters", async () => {
    const answer = await call("DELETE", unsubscribe, { headers: form, body: 'subscriptions=["a"]&colour=red&Age=3' });
    expect(answer.body).toMatchObject({ result: "success", ignored_parameters_unsupported: ["Age", "colour"] });
  });

  it("accepts the bare name of a case as a preference", async () => {
    const headers = { ...form, Prefer: "example=unknown_channel" };
    const answer = await call("DELETE", unsubscribe, { headers, body: 'subscriptions=["anything"]' });
    expect(answer).toMatchObject({ status: 400, body: { code: "STREAM_DOES_NOT_EXIST" } });
  });

  it("responds to the creation of a resumable upload with headers and no body", async () => {
    const create = (headers: Record<string, string>) =>
      fetch(`${mock.url}/api/v1/tus`, { method: "POST", headers: { ...authorization, ...headers } });
    const created = await create({ "Tus-Resumable": "1.0.0", "Upload-Length": "1024" });
    expect([created.status, created.headers.get("Tus-Resumable"), await created.text()]).toEqual([201, "1.0.0", ""]);
    expect(created.headers.get("Location")).toMatch(/^\/api\/v1\/tus\/./);
    expect((await create({ "Tus-Resumable": "1.0.0" })).status).toBe(400);
  });

  it("keeps slashes in a fragment, encoded or not", async () => {
    for (const fragment of ["narrow/is/starred", "narrow%2Fis%2Fstarred"]) {
      expect((await call("DELETE", `/api/v1/navigation_views/${fragment}`)).status).not.toBe(404);
    }
  });

  it("accepts a cookie as credentials, unless Authorization is malformed", async () => {
    const status = async (headers: Record<string, string>) =>
      (await call("DELETE", "/api/v1/users/me", { headers })).status;
    expect(await status({ Cookie: "session=1" })).toBe(200);
    expect(await status({ Cookie: "session=1", Authorization: "Basic !" })).toBe(401);
    expect(await status({ Cookie: "session=1", ...authorization })).toBe(200);
  });

  it("requires no credentials for GET /server_settings, and accepts wrong ones", async () => {
    expect((await call("GET", "/api/v1/server_settings", { headers: {} })).status).toBe(200);
    expect((await call("GET", "/api/v1/server_settings", { headers: { Authorization: "nonsense" } })).status).toBe(200);
  });

  it("allows requests from a page from another origin", async () => {
    const response = await fetch(`${mock.url}${unsubscribe}`, {
      method: "OPTIONS",
      headers: {
        Origin: "http://localhost:5173",
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "authorization",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-headers")).toBe("authorization");
  });

  it.each([
    ["no boundary", "multipart/form-data", "x"],
    [
      "a part without an end",
      "multipart/form-data; boundary=b",
      '--b\r\nContent-Disposition: form-data; name="subscriptions"\r\n\r\n["a"]',
    ],
    ["a broken part header", "multipart/form-data; boundary=b", "--b\r\nContent-Disposition\r\n\r\nx\r\n--b--\r\n"],
    [
      "another boundary",
      "multipart/form-data; boundary=b",
      '--c\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n--c--\r\n',
    ],
    ["bytes that are not text", "multipart/form-data; boundary=b", Buffer.from([0, 255, 254, 13, 10, 45, 45, 98])],
  ])("survives multipart with %s", async (_, contentType, body) => {
    const answer = await call("POST", "/api/v1/user_uploads", {
      headers: { ...authorization, "Content-Type": contentType },
      body,
    });
    expectEnvelope(answer, 400, /./);
    expect((await call("GET", "/api/v1/server_settings")).status).toBe(200);
  });

  it("rejects a body above the limit and stays up", async () => {
    const body = `subscriptions=["${"a".repeat(33 * 1024 * 1024)}"]`;
    expectEnvelope(await call("DELETE", unsubscribe, { headers: form, body }), 413, /larger than/);
  });

  it("survives a client that disconnects within a body", async () => {
    const { port } = new URL(mock.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => {
        socket.write(
          `POST /api/v1/reminders HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization.Authorization}\r\nContent-Length: 100\r\n\r\nnote`,
        );
        socket.destroy();
        resolve();
      });
    });
    expect((await call("GET", "/api/v1/server_settings")).status).toBe(200);
  });

  it("survives unusual but valid header values", async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { ...authorization, "Content-Type": "undefined", "Content-Length": "0" };
      httpRequest(`${mock.url}${unsubscribe}`, { method: "DELETE", headers }, (response) =>
        resolve(response.statusCode),
      )
        .on("error", reject)
        .end();
    });
    expect(status).toBe(400);
  });

  it("names a port that is in use and suggests a solution", async () => {
    const taken = createChatMock({ port: Number(new URL(mock.url).port) });
    await expect(taken).rejects.toThrow(ListenError);
    await expect(taken).rejects.toThrow(/already in use.*choose another port/);
  });
});
