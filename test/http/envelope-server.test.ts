import { createServer, type RequestListener } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { listen } from "../../src/base/listen.js";
import { formatEnvelope } from "../../src/chat/server/error-envelope.js";
import { continueWhenRead, lingerAfterAnswers } from "../../src/http/early-answers.js";
import { createEnvelopeServer } from "../../src/http/envelope-server.js";
import { type BodyPace, receiveBody } from "../../src/http/receive-body.js";
import { sendText } from "../../src/http/send-text.js";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function serve(server: ReturnType<typeof createServer>): Promise<number> {
  const { url, close } = await listen(server);
  stops.push(close);
  return Number(new URL(url).port);
}

/** Sends pieces of text with a pause after each, and returns the response once the server closes the connection. */
function converse(port: number, pieces: readonly string[], pauseMs = 20): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", reject);
    socket.on("end", () => {
      socket.end();
      resolve(answer);
    });
    void (async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await sleep(pauseMs);
      }
    })();
  });
}

const ok: RequestListener = (_request, response) => response.end("fine");

describe("createEnvelopeServer", () => {
  it.each([
    ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 400, "one Host header"],
    ["no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "must have a Host header"],
    ["CONNECT", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n", 501, "CONNECT is not supported"],
    [
      "an unknown expectation",
      "GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n",
      417,
      "100-continue",
    ],
    ["text that is not HTTP", "this is not a request\r\n\r\n", 400, "not HTTP/1.1"],
    ["large headers", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(140_000)}\r\n\r\n`, 431, "headers are too large"],
  ])("responds once to %s", async (_, text, status, msg) => {
    const port = await serve(createEnvelopeServer(ok, formatEnvelope));
    for (const pieces of [[text, "more of it"], [`${text}more of it`]]) {
      const answer = await converse(port, pieces);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      const body = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
      expect(body).toEqual({ result: "error", code: "BAD_REQUEST", msg: expect.stringContaining(msg) });
    }
  });
});

describe("a connection with pipelined requests", () => {
  const ahead = (count: number) => "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count);

  it("receives ten responses in order", async () => {
    let served = 0;
    const port = await serve(
      createEnvelopeServer((_request, response) => response.end(`answer ${++served}`), formatEnvelope),
    );
    const last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const answer = await converse(port, [ahead(5), ahead(4) + last]);
    expect(answer.match(/answer \d+/g)).toEqual(Array.from({ length: 10 }, (_, at) => `answer ${at + 1}`));
  });

  it("is closed before a thousand requests are served", async () => {
    let served = 0;
    const port = await serve(
      createEnvelopeServer(() => {
        served++;
      }, formatEnvelope),
    );
    const socket = connect({ host: "127.0.0.1", port });
    socket.on("error", () => {}).write(ahead(1000));
    await new Promise((resolve) => socket.once("close", resolve));
    expect(served).toBeLessThan(100);
  });
});

it("responds once to a rejected request, even if its body breaks off", async () => {
  const port = await serve(createEnvelopeServer((_request, response) => response.writeHead(401).end(), formatEnvelope));
  const answer = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    socket.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      socket.end();
    });
    socket.on("error", reject).on("close", () => resolve(text));
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\nabc");
  });
  expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 401"]);
});

describe("receiveBody", () => {
  async function servePace(pace: BodyPace): Promise<number> {
    return serve(
      createServer(async (request, response) => {
        try {
          let length = 0;
          for await (const piece of receiveBody(request, pace)) length += piece.length;
          response.end(`${length} bytes`);
        } catch (error) {
          response.writeHead(408, { Connection: "close" });
          response.end((error as Error).name);
        }
      }),
    );
  }

  it("allows a slow body that keeps the minimum pace", async () => {
    const port = await servePace({ minBytes: 4, windowMs: 6_000 });
    const pieces = Array.from({ length: 12 }, () => "aaaa");
    const head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 48\r\n\r\n";
    expect(await converse(port, [head, ...pieces], 600)).toContain("48 bytes");
  });

  it("throws if the body is slower than the minimum pace", async () => {
    const port = await servePace({ minBytes: 4, windowMs: 1_500 });
    const head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 48\r\n\r\n";
    expect(await converse(port, [head, "a", "a", "a"], 150)).toMatch(/^HTTP\/1.1 408 .*SlowBodyError/s);
  });
});

describe("Expect: 100-continue", () => {
  const head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n";

  it("is answered with 100 when the body is read", async () => {
    const server = createServer(async (request, response) => {
      let text = "";
      for await (const piece of request) text += piece;
      response.end(text);
    });
    continueWhenRead(server);
    const answer = await converse(await serve(server), [head, "hello"]);
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n.*hello/s);
  });

  it("is not answered with 100 if the headers of the request are rejected", async () => {
    const server = createServer((_request, response) => response.writeHead(401).end());
    continueWhenRead(server);
    lingerAfterAnswers(server, { maxBytes: 10, maxMs: 10_000, maxIdleMs: 100 });
    expect(await converse(await serve(server), [head])).toMatch(/^HTTP\/1.1 401 /);
  });
});

describe("lingerAfterAnswers", () => {
  it("disconnects a client that keeps sending after the response", async () => {
    const server = createServer((_request, response) => response.writeHead(413).end());
    lingerAfterAnswers(server, { maxBytes: 1024 * 1024, maxMs: 10_000, maxIdleMs: 10_000 });
    const port = await serve(server);
    const sent = await new Promise<number>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port });
      socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n");
      const piece = Buffer.alloc(64 * 1024);
      const send = () => {
        while (socket.writable && socket.write(piece));
      };
      socket.on("drain", send).on("error", () => {});
      socket.on("close", () => resolve(socket.bytesWritten));
      socket.resume();
      send();
    });
    expect(sent).toBeGreaterThan(1024 * 1024);
  });
});

describe("sendText", () => {
  it("sends a long text completely, including surrogate pairs", async () => {
    const text = "a😀".repeat(100_000);
    const server = createServer((_request, response) => {
      response.writeHead(200, { "Content-Length": Buffer.byteLength(text) });
      sendText(response, text);
    });
    const { url, close } = await listen(server);
    stops.push(close);
    expect(await (await fetch(url)).text()).toBe(text);
  });
});
