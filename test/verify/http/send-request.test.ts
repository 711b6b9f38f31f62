import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { type Listening, listen } from "../../../src/base/listen.js";
import type { NoAnswerKind } from "../../../src/judge/exchange.js";
import { createThrottle, type Flicker, sendRequest } from "../../../src/verify/http/send-request.js";

let server: Listening | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function send(
  listener: RequestListener,
  timeoutMs = 300_000,
  {
    signal = new AbortController().signal,
    method = "GET",
    onFlicker = (_: Flicker) => {},
    throttle = createThrottle(),
  } = {},
) {
  server = await listen(createServer(listener));
  const isGateway = ({ text }: { text: string }) => text === "gateway";
  return sendRequest({ method, url: server.url, headers: {} }, { timeoutMs, signal, onFlicker, throttle }, isGateway);
}
const seen = (answers: readonly RequestListener[]) => {
  let count = 0;
  const listener: RequestListener = (request, response) =>
    answers[Math.min(count++, answers.length - 1)]?.(request, response);
  return { listener, count: () => count };
};
const ok: RequestListener = (_, response) => response.end("ok");
const busy =
  (retryAfter?: string): RequestListener =>
  (_, response) =>
    response.writeHead(429, retryAfter === undefined ? {} : { "Retry-After": retryAfter }).end();
const gateway: RequestListener = (_, response) => response.writeHead(502).end("gateway");
const gone: RequestListener = (request) => request.socket.destroy();

describe("sendRequest", () => {
  it("returns any response, such as a redirect", async () => {
    const response = await send((_, answer) =>
      answer.writeHead(302, { Location: "http://127.0.0.1:9/", "Content-Type": "text/x" }).end("there"),
    );
    expect(response).toMatchObject({ status: 302, contentType: "text/x", text: "there" });
    expect(response.headers.get("Location")).toBe("http://127.0.0.1:9/");
  });

  it("waits as a 429 asks, then retries", async () => {
    const { listener, count } = seen([busy("0"), busy("0.01"), ok]);
    expect(await send(listener)).toMatchObject({ status: 200, text: "ok" });
    expect(count()).toBe(3);
  });

  it.each([
    ["repeats", "0", 8],
    ["asks for too long a wait", "3600", 1],
  ])("gives up on a 429 that %s", async (_, retryAfter, sent) => {
    const { listener, count } = seen([busy(retryAfter)]);
    await expect(send(listener)).rejects.toThrow(/^the server keeps answering 429/);
    expect(count()).toBe(sent);
  });

  it("gives up at the first 429 once the server has accepted nothing while another request gave up", async () => {
    const throttle = createThrottle();
    const long = seen([busy("3600"), busy("0"), ok]);
    await expect(send(long.listener, undefined, { throttle })).rejects.toThrow(/^the server keeps answering 429/);
    await expect(send(long.listener, undefined, { throttle })).rejects.toThrow(/^the server keeps answering 429/);
    expect(long.count()).toBe(2);
    // The server accepts requests again.
    await send(long.listener, undefined, { throttle });
    const short = seen([busy("0"), ok]);
    expect(await send(short.listener, undefined, { throttle })).toMatchObject({ status: 200 });
  });

  it.each<[string, RequestListener, string, number, Flicker[]]>([
    ["once if its connection closes", gone, "GET", 2, ["dropped"]],
    ["if a gateway answers", gateway, "GET", 2, ["gateway"]],
  ])("repeats a request that changes nothing %s", async (_, first, method, sent, flickers) => {
    const seenFlickers: Flicker[] = [];
    const { listener, count } = seen([first, ok]);
    const onFlicker = (flicker: Flicker) => void seenFlickers.push(flicker);
    expect(await send(listener, undefined, { method, onFlicker })).toMatchObject({ status: 200 });
    expect(count()).toBe(sent);
    expect(seenFlickers).toEqual(flickers);
  });

  it.each<[string, RequestListener, string, number, NoAnswerKind]>([
    ["whose connections close", gone, "GET", 2, "dropped"],
    ["whose connection closes", gone, "POST", 1, "dropped"],
    ["that only gateways answer", gateway, "GET", 4, "gateway"],
    ["that a gateway answers", gateway, "POST", 1, "gateway"],
  ])("rejects if there is no response to a request %s", async (_, listener, method, sent, kind) => {
    const { listener: counted, count } = seen([listener]);
    await expect(send(counted, undefined, { method })).rejects.toMatchObject({ name: "NoAnswerError", kind });
    expect(count()).toBe(sent);
  });

  it("returns the 503 of the server itself", async () => {
    const { listener, count } = seen([(_, response) => response.writeHead(503).end("own")]);
    expect(await send(listener)).toMatchObject({ status: 503 });
    expect(count()).toBe(1);
  });

  it.each<[string, RequestListener, RegExp]>([
    [
      "is cut short",
      (request) => request.socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart"),
      /^the server closed the connection in the middle of its answer$/,
    ],
    [
      "has too many content codings",
      (_, response) => response.setHeader("Content-Encoding", Array(6).fill("gzip").join()).end(),
      /^the answer has more than 5 content codings$/,
    ],
  ])("sends no request again whose response %s", async (_, listener, message) => {
    const { listener: counted, count } = seen([listener]);
    await expect(send(counted)).rejects.toThrow(message);
    expect(count()).toBe(1);
  });

  it("times out", async () => {
    const { listener, count } = seen([() => {}]);
    await expect(send(listener, 50)).rejects.toThrow("no answer within 50 ms");
    expect(count()).toBe(1);
  });

  it("aborts while waiting to retry", async () => {
    const abort = new AbortController();
    const { listener } = seen([
      (request, response) => {
        busy("20")(request, response);
        setImmediate(() => abort.abort(new Error("enough")));
      },
    ]);
    await expect(send(listener, 5_000, { signal: abort.signal })).rejects.toThrow();
  });
});
