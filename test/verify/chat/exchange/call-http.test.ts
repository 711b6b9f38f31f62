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
  ])("reads a response with the content coding %s", async (coding, content) => {
    const url = await serve((_, response) => response.setHeader("Content-Encoding", coding).end(content));
    expect((await callHttp({ method: "GET", url, headers: {} }, limits)).bytes.toString()).toBe("moon");
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

  it("opens another connection if the server closes an idle one just as it is reused", async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections++;
      let requests = 0;
      socket.on("error", () => {});
      socket.on("data", () => {
        if (++requests > 1) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    for (let sent = 0; sent < 3; sent++) {
      expect((await callHttp({ method: "GET", url, headers: {} }, limits)).bytes.toString()).toBe("ok");
    }
    expect(connections).toBe(3);
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
