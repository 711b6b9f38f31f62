import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../src/base/listen.js";
import { callHttp, DroppedError } from "../../../src/verify/http/call-http.js";

const limits = { timeoutMs: 300_000 };
const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const second = "HTTP/1.1 500 Bad\r\nContent-Length: 3\r\n\r\nbad";

async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await listen(createServer(listener));
  onTestFinished(close);
  return url;
}

async function listenTcp(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

describe("callHttp", () => {
  it.each(["GET", "POST", "PATCH", "DELETE"])("sends the body of a %s unchanged", async (method) => {
    const url = await serve(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      response.end(`${request.method} ${request.headers["content-length"]} ${Buffer.concat(pieces).toString("hex")}`);
    });
    const body = Uint8Array.of(0, 0xff, 0x80);
    expect((await callHttp({ method, url, headers: {}, body }, limits)).bytes.toString()).toBe(`${method} 3 00ff80`);
  });

  it.each([
    ["gzip", gzipSync("moon")],
    ["X-GZIP", gzipSync("moon")],
    ["deflate", deflateSync("moon")],
    ["br", brotliCompressSync("moon")],
    ["deflate, gzip", gzipSync(deflateSync("moon"))],
    ["identity", Buffer.from("moon")],
    ["unknown", Buffer.from("moon")],
    ["constructor", Buffer.from("moon")],
  ])("reads a response with the content coding %s", async (coding, content) => {
    const url = await serve((_, response) => response.setHeader("Content-Encoding", coding).end(content));
    expect((await callHttp({ method: "GET", url, headers: {} }, limits)).bytes.toString()).toBe("moon");
  });

  it.each(["gzip", "deflate", "br"])("reads the response to HEAD with the content coding %s", async (coding) => {
    const url = await serve((_, response) => response.setHeader("Content-Encoding", coding).end());
    expect((await callHttp({ method: "HEAD", url, headers: {} }, limits)).bytes).toHaveLength(0);
  });

  it("rejects a response with thousands of content codings", async () => {
    const codings = Array(2_000).fill("gzip").join();
    const url = await serve((_, response) => response.setHeader("Content-Encoding", codings).end("moon"));
    const call = callHttp({ method: "GET", url, headers: {} }, limits);
    await expect(call).rejects.toThrow("the answer has more than 5 content codings");
  });

  it.each(["gzip", "deflate", "br"])("finds fault with content that is not compressed with %s", async (coding) => {
    const url = await serve((_, response) => response.setHeader("Content-Encoding", coding).end("moon landing"));
    const { status, fault } = await callHttp({ method: "GET", url, headers: {} }, limits);
    expect(status).toBe(200);
    expect(fault).toMatch(/^the answer is not compressed as its header Content-Encoding says: \w/);
  });

  it.each([
    ["gzip", gzipSync("moon landing")],
    ["deflate", deflateSync("moon landing")],
    ["br", brotliCompressSync("moon landing")],
  ])("finds fault with compressed content that is cut short, with %s", async (coding, content) => {
    const url = await serve((_, response) =>
      response.setHeader("Content-Encoding", coding).end(content.subarray(0, -1)),
    );
    const { fault } = await callHttp({ method: "GET", url, headers: {} }, limits);
    expect(fault).toMatch(/^the answer is not compressed as its header Content-Encoding says: \w/);
  });

  it.each([200, 204, 304])("reads an empty response with status %i and a content coding", async (status) => {
    const url = await serve((_, response) => response.writeHead(status, { "Content-Encoding": "gzip" }).end());
    expect(await callHttp({ method: "GET", url, headers: {} }, limits)).toMatchObject({
      status,
      bytes: Buffer.alloc(0),
    });
  });

  it("keeps each value of a repeated header", async () => {
    const url = await serve((_, response) => response.setHeader("Set-Cookie", ["a=1", "b=2"]).end());
    const { headers } = await callHttp({ method: "GET", url, headers: {} }, limits);
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it("uses a connection of its own for each request, so that the end of an idle one meets none", async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("ok");
    });
    for (let sent = 0; sent < 3; sent++) await callHttp({ method: "POST", url, headers: {} }, limits);
    expect(ports.size).toBe(3);
  });

  it.each(["GET", "POST"])("sends no %s again whose connection closes", async (method) => {
    let requests = 0;
    const url = await serve((request) => {
      requests++;
      request.socket.destroy();
    });
    await expect(callHttp({ method, url, headers: {} }, limits)).rejects.toThrow(DroppedError);
    expect(requests).toBe(1);
  });

  it("rejects a body that has no length and exceeds the time limit", async () => {
    const url = await serve((_, response) => {
      response.useChunkedEncodingByDefault = false;
      response.removeHeader("Transfer-Encoding");
      response.write("part");
    });
    const call = callHttp({ method: "GET", url, headers: {} }, { timeoutMs: 200 });
    await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("rejects a body that has no length and ends with a reset", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\npart", () => setTimeout(() => socket.resetAndDestroy(), 50));
      });
    });
    const call = callHttp({ method: "GET", url: await listenTcp(server), headers: {} }, limits);
    await expect(call).rejects.toThrow("the server closed the connection in the middle of its answer");
  });

  it("blames the connection if it breaks while the request is still being sent", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        const head = "HTTP/1.1 413 Too Large\r\nContent-Length: 9\r\nContent-Encoding: gzip\r\n\r\n";
        socket.pause().write(head, () => setTimeout(() => socket.destroy(), 50));
      });
    });
    const body = Buffer.alloc(8 * 1024 * 1024);
    const call = callHttp({ method: "POST", url: await listenTcp(server), headers: {}, body }, limits);
    await expect(call).rejects.toThrow("the server closed the connection in the middle of its answer");
  });

  it.each([
    ["with a malformed header", "HTTP/1.1 200 OK\r\nX y: z\r\n\r\n", /^the answer is not valid HTTP: \w/],
    ["with a malformed chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", /is not valid HTTP: \w/],
    ["that is cut short", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart", /in the middle of its answer$/],
  ])("rejects a response %s", async (_, answer, message) => {
    const url = await serve((request) => void request.socket.end(answer));
    const call = callHttp({ method: "POST", url, headers: {} }, limits);
    await expect(call).rejects.toThrow(
      expect.objectContaining({ name: "UnreadableAnswerError", message: expect.stringMatching(message) }),
    );
  });

  it.each<[string, readonly string[], number]>([
    ["a second response, sent late", [second], 1],
    ["two of them", [second, second], 1],
    ["other bytes", ["and more"], 1],
    ["the end of a line", ["\r\n"], 0],
  ])("reports %s after a response, and takes it for no other response", async (_, surplus, reports) => {
    const seen = { surplus: 0, ended: 0 };
    const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
      socket.on("error", () => {});
      socket.once("data", async () => {
        socket.write(ok);
        for (const text of surplus) {
          await sleep(10);
          socket.write(text);
        }
        await sleep(10);
        socket.end(() => seen.ended++);
      });
    });
    const url = await listenTcp(server);
    const onSurplus = () => void seen.surplus++;
    for (let sent = 1; sent <= 3; sent++) {
      expect((await callHttp({ method: "GET", url, headers: {} }, { ...limits, onSurplus })).status).toBe(200);
      await expect.poll(() => seen).toEqual({ surplus: sent * reports, ended: sent });
    }
  });

  it.each([`${ok} and more`, `${ok}${second}`])("reports what follows a response in the same piece", async (answer) => {
    let surplus = 0;
    const url = await serve((request) => void request.socket.write(answer));
    const all = { ...limits, onSurplus: () => void surplus++ };
    expect((await callHttp({ method: "GET", url, headers: {} }, all)).bytes.toString()).toBe("ok");
    expect((await callHttp({ method: "HEAD", url, headers: {} }, all)).status).toBe(200);
    expect(surplus).toBe(2);
  });

  it("takes no response that is sent before the request, and closes the connection", async () => {
    let isClosed = false;
    let received = "";
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (bytes) => {
        received += bytes;
      });
      socket.once("close", () => {
        isClosed = true;
      });
      socket.write(ok);
    });
    const url = await listenTcp(server);
    await expect(callHttp({ method: "GET", url, headers: {} }, limits)).rejects.toThrow(
      "the server sent a response before the request",
    );
    await expect.poll(() => isClosed).toBe(true);
    expect(received).toBe("");
  });

  it("rejects a response that switches protocols", async () => {
    const url = await serve((request) => {
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    });
    await expect(callHttp({ method: "GET", url, headers: {} }, limits)).rejects.toThrow("switched protocols");
  });

  it("rejects with the reason of its signal, even while it reads", async () => {
    const stop = new AbortController();
    const url = await serve((_, response) => {
      response.write("part");
      stop.abort(new Error("enough"));
    });
    const call = callHttp({ method: "GET", url, headers: {} }, { ...limits, signal: stop.signal });
    await expect(call).rejects.toThrow(/^enough$/);
  });
});
