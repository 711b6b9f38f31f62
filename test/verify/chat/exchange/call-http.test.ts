import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../../src/listen.js";
import { callHttp } from "../../../../src/verify/chat/exchange/call-http.js";

const limits = { timeoutMs: 5_000 };

async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await listen(createServer(listener));
  onTestFinished(close);
  return url;
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

  it("rejects content that is not compressed as its header says", async () => {
    const url = await serve((_, response) => response.setHeader("Content-Encoding", "gzip").end("moon"));
    await expect(callHttp({ method: "GET", url, headers: {} }, limits)).rejects.toThrow("incorrect header check");
  });

  it("keeps each value of a repeated header", async () => {
    const url = await serve((_, response) => response.setHeader("Set-Cookie", ["a=1", "b=2"]).end());
    const { headers } = await callHttp({ method: "GET", url, headers: {} }, limits);
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  /** Answers the first request of each connection, and the others with `answer` before it resets the connection. */
  async function resetWhenReused(answer: string) {
    const seen = { connections: 0, requests: 0 };
    const server = createTcpServer((socket) => {
      seen.connections++;
      let own = 0;
      socket.on("error", () => {});
      socket.on("data", () => {
        seen.requests++;
        if (++own === 1) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        else if (answer === "") socket.resetAndDestroy();
        else socket.write(answer, () => setTimeout(() => socket.resetAndDestroy(), 50));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    return { seen, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` };
  }

  it("opens another connection if the server closes a kept one when it is used again", async () => {
    const { seen, url } = await resetWhenReused("");
    for (let sent = 0; sent < 3; sent++) {
      expect((await callHttp({ method: "GET", url, headers: {} }, limits)).bytes.toString()).toBe("ok");
    }
    expect(seen.connections).toBe(3);
  });

  it("sends no request again once its response has begun", async () => {
    const { seen, url } = await resetWhenReused("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart");
    await callHttp({ method: "GET", url, headers: {} }, limits);
    await expect(callHttp({ method: "POST", url, headers: {} }, limits)).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(seen.requests).toBe(2);
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
