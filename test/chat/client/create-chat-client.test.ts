import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ApiError,
  createChatClient,
  isApiError,
  ResponseTooLargeError,
  UnexpectedResponseError,
  UnsupportedFeatureError,
  unwrap,
} from "../../../src/chat/index.js";
import { type CannedResponse, startLocalServer } from "./local-server.js";

const credentials = { email: "iago@example.com", apiKey: "k:ey-ä" };
const answer = (response: CannedResponse) => startLocalServer(() => response);

describe("createChatClient", () => {
  it("sends forms with JSON text, and credentials in UTF-8", async () => {
    await using server = await answer({ body: { result: "success", msg: "", removed: ["Denmark"], not_removed: [] } });
    const chat = createChatClient({ baseUrl: server.url, ...credentials });
    const result = await chat.unsubscribe({ subscriptions: ["Denmark", "a&b"], principals: [17] });
    expect(result).toMatchObject({ ok: true, status: 200, data: { removed: ["Denmark"] } });
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: "DELETE", url: "/api/v1/users/me/subscriptions" });
    expect(seen?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(seen?.headers.authorization).toBe(
      `Basic ${Buffer.from("iago@example.com:k:ey-ä", "utf8").toString("base64")}`,
    );
    expect(Object.fromEntries(new URLSearchParams(seen?.body))).toEqual({
      subscriptions: '["Denmark","a&b"]',
      principals: "[17]",
    });
  });

  it.each([
    ["", '""'],
    [".", '"."'],
    ["..", '".."'],
  ])("rejects a path value that would lead to another endpoint: %j", async (fragment, shown) => {
    await using server = await answer({});
    const chat = createChatClient({ baseUrl: server.url, ...credentials });
    await expect(chat.removeNavigationView({ fragment })).rejects.toThrow(
      `fragment is a path segment and cannot be ${shown}`,
    );
    expect(server.seen).toHaveLength(0);
  });

  it("sends no credentials to GET /server_settings", async () => {
    await using server = await answer({});
    await createChatClient({ baseUrl: server.url, ...credentials }).getServerSettings();
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it("uploads a file as multipart and reports progress up to the end", async () => {
    await using server = await answer({ body: { result: "success", msg: "", url: "/user_uploads/1/x/notes.txt" } });
    const chat = createChatClient({ baseUrl: server.url, ...credentials });
    const progress: { sent: number; total: number }[] = [];
    const file = new File(["x".repeat(200_000)], "notes.txt", { type: "text/plain" });
    await chat.uploadFile({ file }, { onUploadProgress: (step) => progress.push(step) });
    const [seen] = server.seen;
    expect(seen?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen?.body).toContain('filename="notes.txt"');
    expect(seen?.body).toContain("x".repeat(200_000));
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.map(({ sent }) => sent)).toEqual(progress.map(({ sent }) => sent).sort((a, b) => a - b));
    expect(progress.at(-1)?.sent).toBe(progress.at(-1)?.total);
  });

  it("returns errors as values, discriminated by status and code", async () => {
    const body = { result: "error", msg: "Channel 'x' does not exist", code: "STREAM_DOES_NOT_EXIST", stream: "x" };
    await using server = await answer({ status: 400, body });
    const result = await createChatClient({ baseUrl: server.url, ...credentials }).unsubscribe({
      subscriptions: ["x"],
    });
    expect(result).toMatchObject({ ok: false, status: 400, error: body });
    expect(() => unwrap(result)).toThrow("[STREAM_DOES_NOT_EXIST] Channel 'x' does not exist");
    const error = await Promise.resolve(result)
      .then(unwrap)
      .catch((thrown: unknown) => thrown);
    expect(isApiError(error, "STREAM_DOES_NOT_EXIST") && error.body.stream).toBe("x");
    expect(isApiError(error, "BAD_REQUEST")).toBe(false);
    expect(isApiError(new Error("x"))).toBe(false);
  });

  it.each([
    ["a charset", { headers: { "Content-Type": "application/json; charset=utf-8" } }, true],
    ["a page", { status: 502, headers: { "Content-Type": "text/html" }, body: "<html>Bad gateway</html>" }, false],
    ["another JSON", { body: { hello: "world" } }, false],
    ["broken JSON", { body: "{" }, false],
  ])("accepts or rejects a response with %s", async (_, response, accepted) => {
    await using server = await answer(response);
    const call = createChatClient({ baseUrl: server.url, ...credentials }).deactivateOwnUser();
    if (accepted) await expect(call).resolves.toMatchObject({ ok: true });
    else await expect(call).rejects.toThrow(UnexpectedResponseError);
  });

  it("returns an error that has status 200 as an error", async () => {
    const body = { result: "error", msg: "No such user", code: "BAD_REQUEST" };
    await using server = await answer({ body });
    const result = await createChatClient({ baseUrl: server.url, ...credentials }).getUserStatus({ user_id: 5 });
    expect(result).toMatchObject({ ok: false, status: 200, error: body });
    expect(() => unwrap(result)).toThrow("[BAD_REQUEST] No such user");
  });

  it.each(["msg", "code"])("throws an ApiError for an error whose %s is nested very deeply", async (name) => {
    const error = { result: "error", msg: "a", code: "BAD_REQUEST", [name]: 0 };
    const deep = `${"[".repeat(2_000_000)}${"]".repeat(2_000_000)}`;
    await using server = await answer({
      status: 400,
      body: JSON.stringify(error).replace(`"${name}":0`, `"${name}":${deep}`),
    });
    const result = await createChatClient({ baseUrl: server.url, ...credentials }).getUserStatus({ user_id: 5 });
    expect(() => unwrap(result)).toThrow(ApiError);
  });

  it("rejects a success that has the status of an error", async () => {
    await using server = await answer({ status: 400 });
    await expect(
      createChatClient({ baseUrl: server.url, ...credentials }).getUserStatus({ user_id: 5 }),
    ).rejects.toThrow("getUserStatus: expected an error with status 400, got a body with the result success");
  });

  it("sends unknown parameters whatever their names", async () => {
    await using server = await answer({});
    const values = { note: "tea", constructor: ["a"], toString: 1, ...JSON.parse('{"__proto__": [1]}') };
    await createChatClient({ baseUrl: server.url, ...credentials }).createReminder(values);
    expect(server.seen[0]?.body).toBe("note=tea&constructor=%5B%22a%22%5D&toString=1&__proto__=%5B1%5D");
  });

  it("accepts a base URL with its scheme in capitals", async () => {
    await using server = await answer({});
    const baseUrl = server.url.replace("http:", "HTTP:");
    expect((await createChatClient({ baseUrl, ...credentials }).getUserStatus({ user_id: 5 })).ok).toBe(true);
  });

  it("keeps an anchor above 2^53", async () => {
    await using server = await answer({
      body: '{"result":"success","msg":"","anchor":10000000000000000,"messages":[]}',
    });
    const result = await createChatClient({ baseUrl: server.url, ...credentials }).getMessages({
      num_before: 0,
      num_after: 0,
    });
    expect(result).toMatchObject({ data: { anchor: 10_000_000_000_000_000 } });
  });

  describe("on 429", () => {
    const limited = {
      status: 429,
      headers: { "Retry-After": "0.0083" },
      body: { result: "error", msg: "slow down", code: "RATE_LIMIT_HIT" },
    };
    const firstLimited = () => startLocalServer((_, count) => (count === 1 ? limited : {}));

    // `retry.test.ts` shows how the header is read.
    it.each(["0.0083", "-1"])("retries a GET after a second on Retry-After: %j", async (retryAfter) => {
      const at: number[] = [];
      await using server = await startLocalServer((_, count) => {
        at.push(performance.now());
        return count === 1 ? { ...limited, headers: { "Retry-After": retryAfter } } : {};
      });
      const result = await createChatClient({ baseUrl: server.url, ...credentials }).getUserStatus({ user_id: 5 });
      expect([result.status, at.length]).toEqual([200, 2]);
      const [first = 0, second = 0] = at;
      // Timers may fire a millisecond early.
      expect(second - first).toBeGreaterThan(990);
    });

    it("never retries unsafe methods", async () => {
      await using server = await firstLimited();
      const result = await createChatClient({ baseUrl: server.url, ...credentials }).createReminder({ note: "tea" });
      expect(result).toMatchObject({ ok: false, status: 429, error: { code: "RATE_LIMIT_HIT" } });
      expect(server.seen).toHaveLength(1);
    });

    it("gives up after the maximum attempts, and at once if the wait is too long", async () => {
      await using always = await answer(limited);
      const twice = createChatClient({ baseUrl: always.url, ...credentials, retry: { attempts: 2 } });
      expect((await twice.getUserStatus({ user_id: 5 })).status).toBe(429);
      expect(always.seen).toHaveLength(2);
      await using long = await answer({ ...limited, headers: { "Retry-After": "3600" } });
      const result = await createChatClient({ baseUrl: long.url, ...credentials }).getUserStatus({ user_id: 5 });
      expect(long.seen).toHaveLength(1);
      const error = await Promise.resolve(result)
        .then(unwrap)
        .catch((thrown: unknown) => thrown);
      expect(isApiError(error) && error.retryAfter).toBe(3600);
    });

    it("stops waiting when aborted", async () => {
      await using server = await answer({ ...limited, headers: { "Retry-After": "20" } });
      const abort = new AbortController();
      const call = createChatClient({ baseUrl: server.url, ...credentials }).getUserStatus(
        { user_id: 5 },
        { signal: abort.signal },
      );
      while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      abort.abort();
      await expect(call).rejects.toThrow("aborted");
    });
  });

  describe("on a redirect", () => {
    it.each([301, 302, 303, 307, 308])(
      "refuses status %i to another origin, and sends nothing there",
      async (status) => {
        await using other = await answer({});
        await using server = await answer({ status, headers: { Location: `${other.url}/api/v1/x?token=secret` } });
        const chat = createChatClient({ baseUrl: server.url, ...credentials });
        const file = new File(["x"], "notes.txt", { type: "text/plain" });
        const headers = { "X-Session": "secret" };
        const results = await Promise.allSettled([
          chat.createReminder({ note: "tea" }, { headers }),
          chat.getUserStatus({ user_id: 5 }, { headers }),
          chat.unsubscribe({ subscriptions: ["x"] }),
          chat.uploadFile({ file }),
          chat.uploadFile({ file }, { onUploadProgress: () => {} }),
        ]);
        for (const result of results) {
          const error = result.status === "rejected" ? result.reason : undefined;
          expect(error).toBeInstanceOf(UnexpectedResponseError);
          expect(String(error)).toContain(
            `: the server redirects to ${other.url} with status ${status}, and a redirect is`,
          );
          expect(String(error)).not.toContain("secret");
        }
        expect([server.seen.length, other.seen.length]).toEqual([5, 0]);
      },
    );

    it("refuses one within the server, which could turn a POST into a GET", async () => {
      await using server = await answer({ status: 302, headers: { Location: "/api/v1/messages" } });
      await expect(
        createChatClient({ baseUrl: server.url, ...credentials }).createReminder({ note: "tea" }),
      ).rejects.toThrow("createReminder: the server redirects to another path of itself with status 302");
      expect(server.seen.length).toBe(1);
    });

    it("refuses one whose target a browser hides", async () => {
      const hidden = Object.defineProperty(new Response(null), "type", { value: "opaqueredirect" });
      const chat = createChatClient({ baseUrl: "http://127.0.0.1", fetch: async () => hidden, ...credentials });
      await expect(chat.getUserStatus({ user_id: 5 })).rejects.toThrow(
        "getUserStatus: the server redirects, and a redirect is not followed; check baseUrl",
      );
    });

    it("refuses one that a replaced fetch followed", async () => {
      await using other = await answer({});
      await using server = await answer({ status: 307, headers: { Location: other.url } });
      const follow: typeof fetch = (input) => fetch(new Request(input as Request, { redirect: "follow" }));
      await expect(
        createChatClient({ baseUrl: server.url, fetch: follow, ...credentials }).getUserStatus({ user_id: 5 }),
      ).rejects.toThrow(`the server redirected to ${other.url}, and redirects are not allowed`);
    });
  });

  describe("on a large response", () => {
    const padded = (bytes: number, status = 200) => {
      const start = `{"result":"${status === 200 ? "success" : "error"}","code":"BAD_REQUEST","msg":"`;
      return Buffer.from(`${start}${"x".repeat(bytes - start.length - 2)}"}`);
    };
    async function startServer(respond: RequestListener) {
      const server = createServer(respond).listen(0, "127.0.0.1");
      onTestFinished(() => {
        server.close();
        server.closeAllConnections();
      });
      await once(server, "listening");
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }
    const json = { "Content-Type": "application/json" };

    it.each([200, 400])("reads one of exactly maxBytes with status %i, and no larger one", async (status) => {
      let bytes = 1000;
      const baseUrl = await startServer((_, response) => response.writeHead(status, json).end(padded(bytes, status)));
      const chat = createChatClient({ baseUrl, maxBytes: 1000, ...credentials });
      expect((await chat.getUserStatus({ user_id: 5 })).status).toBe(status);
      bytes = 1001;
      const call = chat.getUserStatus({ user_id: 5 });
      await expect(call).rejects.toThrow(ResponseTooLargeError);
      await expect(call).rejects.toThrow(
        "the response is larger than 1000 bytes; pass a larger maxBytes to the client if you expect it",
      );
    });

    it("counts the bytes after decompression", async () => {
      const bomb = gzipSync(padded(1_000_000));
      expect(bomb.length).toBeLessThan(2000);
      const headers = { ...json, "Content-Encoding": "gzip" };
      const baseUrl = await startServer((_, response) => response.writeHead(200, headers).end(bomb));
      const call = createChatClient({ baseUrl, maxBytes: 100_000, ...credentials }).getUserStatus({ user_id: 5 });
      await expect(call).rejects.toThrow("the response is larger than 100000 bytes");
    });

    it("stops an endless one, and closes its connection", async () => {
      let closed = () => {};
      const isClosed = new Promise<void>((resolve) => {
        closed = resolve;
      });
      const baseUrl = await startServer((_, response) => {
        response.writeHead(200, json);
        const piece = "x".repeat(65_536);
        const write = () => {
          while (response.write(piece));
          response.once("drain", write);
        };
        response.once("close", closed);
        write();
      });
      // The default is 64 MiB.
      const call = createChatClient({ baseUrl, ...credentials }).getUserStatus({ user_id: 5 });
      await expect(call).rejects.toThrow("the response is larger than 67108864 bytes");
      await isClosed;
    });

    it("decodes characters that are split between pieces", async () => {
      const baseUrl = await startServer(async (_, response) => {
        response.writeHead(200, json);
        for (const byte of Buffer.from('{"result":"success","msg":"Zoë 🦉"}')) {
          await new Promise((resolve) => response.write(Buffer.from([byte]), resolve));
        }
        response.end();
      });
      const result = await createChatClient({ baseUrl, ...credentials }).getUserStatus({ user_id: 5 });
      expect(result).toMatchObject({ data: { msg: "Zoë 🦉" } });
    });

    it.each([0, -1, Number.NaN])("rejects maxBytes %d", (maxBytes) => {
      expect(() => createChatClient({ baseUrl: "http://127.0.0.1", maxBytes })).toThrow(
        `maxBytes is ${maxBytes}: pass a number of bytes from 1`,
      );
    });
  });

  it("rejects unsupported features before it sends anything", async () => {
    await using server = await answer({});
    const chat = createChatClient({ baseUrl: server.url, ...credentials, featureLevel: 378 });
    const edit = { message_id: 1, content: "new" };
    await expect(chat.editMessage({ ...edit, prev_content_sha256: "00" })).rejects.toThrow(UnsupportedFeatureError);
    await expect(chat.createReminder({ note: "x" })).rejects.toThrow(
      "reminders.create is not available on a server of feature level 378",
    );
    expect(server.seen).toHaveLength(0);
    await chat.editMessage(edit);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [
      { baseUrl: "chat.example.com" },
      "baseUrl must be an http or https URL such as https://api.example.com, without credentials or query",
    ],
    [{ baseUrl: "ftp://chat.example.com" }, "baseUrl must be"],
    [{ baseUrl: "https://chat.example.com?x=1" }, "baseUrl must be"],
    [{ baseUrl: "https://chat.example.com#top" }, "baseUrl must be"],
    [{ baseUrl: "https://me:secret@chat.example.com" }, /^(?!.*secret).*without credentials/],
    [{ baseUrl: "https://chat.example.com", email: "a@b" }, "email and apiKey belong together; apiKey is missing"],
    [{ baseUrl: "https://chat.example.com", apiKey: "k" }, "email is missing"],
    [{ baseUrl: "https://chat.example.com", email: "a:b@c", apiKey: "k" }, "the user name must not contain a colon"],
  ])("rejects %j", (options, message) => {
    expect(() => createChatClient(options)).toThrow(message);
  });

  it("has no property that contains the key", () => {
    const chat = createChatClient({ baseUrl: "https://chat.example.com", email: "a@b", apiKey: "very-secret" });
    expect(JSON.stringify(chat)).not.toContain("very-secret");
    expect(Object.values(chat).every((value) => typeof value === "function")).toBe(true);
    expect(chat.tus()).toEqual({
      endpoint: "https://chat.example.com/api/v1/tus",
      headers: { Authorization: `Basic ${btoa("a@b:very-secret")}` },
    });
  });
});
