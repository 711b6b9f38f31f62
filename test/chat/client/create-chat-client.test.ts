import { describe, expect, it } from "vitest";
import {
  createChatClient,
  isApiError,
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

  it("sends JSON in the query", async () => {
    await using server = await answer({ body: { result: "success", msg: "", messages: [] } });
    const chat = createChatClient({ baseUrl: `${server.url}/api/v1/`, ...credentials });
    await chat.getMessages({
      anchor: "newest",
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: "channel", operand: "Denmark" }],
    });
    const url = new URL(server.seen[0]?.url ?? "", server.url);
    expect(url.pathname).toBe("/api/v1/messages");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      anchor: "newest",
      num_before: "5",
      num_after: "0",
      narrow: '[{"operator":"channel","operand":"Denmark"}]',
    });
  });

  it("encodes slashes and at signs in path values", async () => {
    await using server = await answer({});
    const chat = createChatClient({ baseUrl: server.url, ...credentials });
    await chat.removeNavigationView({ fragment: "narrow/is/starred" });
    await chat.updateUserByEmail({ email: "zoe@example.com", full_name: "Zoe" });
    expect(server.seen.map(({ url }) => url)).toEqual([
      "/api/v1/navigation_views/narrow%2Fis%2Fstarred",
      "/api/v1/users/zoe%40example.com",
    ]);
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

  it("reports no progress of a request without a body", async () => {
    await using server = await answer({});
    const chat = createChatClient({ baseUrl: server.url, ...credentials });
    const result = await chat.getServerSettings({}, { onUploadProgress: () => expect.unreachable() });
    expect([result.ok, server.seen.length]).toEqual([true, 1]);
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
      headers: { "Retry-After": "0.01" },
      body: { result: "error", msg: "slow down", code: "RATE_LIMIT_HIT" },
    };
    const firstLimited = () => startLocalServer((_, count) => (count === 1 ? limited : {}));

    it("waits as requested and retries a GET", async () => {
      await using server = await firstLimited();
      const result = await createChatClient({ baseUrl: server.url, ...credentials }).getUserStatus({ user_id: 5 });
      expect(result.status).toBe(200);
      expect(server.seen).toHaveLength(2);
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
      "baseUrl must be an http or https URL such as https://chat.example.com, without credentials or query",
    ],
    [{ baseUrl: "ftp://chat.example.com" }, "baseUrl must be"],
    [{ baseUrl: "https://chat.example.com?x=1" }, "baseUrl must be"],
    [{ baseUrl: "https://chat.example.com#top" }, "baseUrl must be"],
    [{ baseUrl: "https://me:secret@chat.example.com" }, /^(?!.*secret).*without credentials/],
    [{ baseUrl: "https://chat.example.com", email: "a@b" }, "email and apiKey belong together; apiKey is missing"],
    [{ baseUrl: "https://chat.example.com", apiKey: "k" }, "email is missing"],
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
