import { createServer, type ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { CouldNotRunError } from "../../../../src/base/could-not-run-error.js";
import { listen } from "../../../../src/base/listen.js";
import { chatContract } from "../../../../src/chat/contract.js";
import { readLevel } from "../../../../src/verify/rest/read-level.js";
import { sendEndlessBody } from "../endless-body.js";

async function startServer(body: string, status = 200, headers: Record<string, string> = {}): Promise<string> {
  const { url, close } = await listen(
    createServer((request, response) => {
      response.writeHead(request.url === "/api/v1/server_settings" ? status : 200, headers);
      response.end(request.url === "/api/v1/server_settings" ? body : '{"result":"success"}');
    }),
  );
  onTestFinished(close);
  return url;
}

async function levelAt(origin: string, limits: Parameters<typeof readLevel>[2]): Promise<object> {
  return readLevel(await chatContract(), `${origin}/api/v1`, limits);
}

describe("readLevel", () => {
  it.each([
    ['{"result":"success","msg":"","service_feature_level":300}', { level: 300 }],
    ['{"service_feature_level":999999,"service_version":"9.0"}', { level: 999_999, version: "9.0" }],
    ['{"service_feature_level":1,"service_version":9}', { level: 1 }],
  ])("reads %s as %j", async (body, want) => {
    expect(await levelAt(await startServer(body), { timeoutMs: 300_000 })).toEqual(want);
  });

  it.each(["<html></html>", "null", "[]", "{}", "", '{"service_feature_level":"300"}', '{"service_feature_level":-1}'])(
    "rejects the response %j",
    async (body) => {
      await expect(levelAt(await startServer(body), { timeoutMs: 300_000 })).rejects.toThrow(CouldNotRunError);
    },
  );

  it("names the option to give if the settings have no level", async () => {
    const url = await startServer('{"result":"success","msg":""}');
    await expect(levelAt(url, { timeoutMs: 300_000 })).rejects.toThrow(
      `${url}/api/v1/server_settings does not return service_feature_level, so the feature level of the server is unknown: give it with --feature-level`,
    );
  });

  it("does not mistake another kind of server for a chat server of level 0", async () => {
    const url = await startServer('{"result":"error","msg":"No such path","token":"s3cret"}', 404);
    await expect(levelAt(url, { timeoutMs: 300_000 })).rejects.toThrow(
      `${url}/api/v1/server_settings does not return the settings of such a server: it answered 404 with {"result":"error","msg":"No such path","token":"***"}`,
    );
  });

  it("does not follow a redirect", async () => {
    const url = await startServer("", 302, { Location: "/elsewhere" });
    await expect(levelAt(url, { timeoutMs: 300_000 })).rejects.toThrow(
      "redirects to another path of itself with status 302",
    );
  });

  it("reads the settings again while a gateway answers, and says so if it goes on", async () => {
    const answering = async (gateways: number) => {
      let requests = 0;
      const { url, close } = await listen(
        createServer((_, response) => {
          if (requests++ < gateways) response.writeHead(503, { "Content-Type": "text/html" }).end("<p>busy</p>");
          else response.writeHead(200, { "Content-Type": "application/json" }).end('{"service_feature_level":77}');
        }),
      );
      onTestFinished(close);
      return levelAt(url, { timeoutMs: 300_000 });
    };
    expect(await answering(2)).toEqual({ level: 77 });
    await expect(answering(9)).rejects.toThrow(
      /a gateway answered 503 instead of the server, also to 3 repetitions\. Verify again once the server responds$/,
    );
  });

  it("rejects if nothing listens", async () => {
    const { url, close } = await listen(createServer());
    await close();
    await expect(levelAt(url, { timeoutMs: 300_000 })).rejects.toThrow(
      /does not answer: connect ECONNREFUSED 127\.0\.0\.1:\d+\. Start the server/,
    );
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ["hangs", () => undefined, /does not answer: no answer within 200 ms/],
    [
      "stops in the middle of a response",
      (response) => response.write("{"),
      /does not answer: no answer within 200 ms/,
    ],
    ["closes the connection", (response) => response.destroy(), /does not answer: the server closed the connection/],
  ])("rejects if the server %s", async (_, answer, reason) => {
    const { url, close } = await listen(createServer((_, response) => answer(response)));
    onTestFinished(close);
    const timeoutMs = reason.source.includes("200 ms") ? 200 : 300_000;
    await expect(levelAt(url, { timeoutMs })).rejects.toThrow(reason);
  });

  it("rejects a response that never ends", async () => {
    const { url, close } = await listen(createServer((_, response) => sendEndlessBody(response)));
    onTestFinished(close);
    await expect(levelAt(url, { timeoutMs: 300_000 })).rejects.toThrow(/the answer is larger than 4 MiB/);
  });

  it("aborts when the run is stopped", async () => {
    const stop = new AbortController();
    const { url, close } = await listen(createServer(() => stop.abort(new Error("enough"))));
    onTestFinished(close);
    await expect(levelAt(url, { timeoutMs: 300_000, signal: stop.signal })).rejects.toThrow(/^enough$/);
  });
});
