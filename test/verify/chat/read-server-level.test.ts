import { createServer, type ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../src/listen.js";
import { readServerLevel } from "../../../src/verify/chat/server/read-server-level.js";
import { CouldNotRunError } from "../../../src/verify/could-not-run-error.js";
import { writeForEver } from "./write-for-ever.js";

async function answering(body: string, status = 200, headers: Record<string, string> = {}): Promise<string> {
  const { url, close } = await listen(
    createServer((request, response) => {
      response.writeHead(request.url === "/api/v1/server_settings" ? status : 200, headers);
      response.end(request.url === "/api/v1/server_settings" ? body : '{"result":"success"}');
    }),
  );
  onTestFinished(close);
  return url;
}

describe("the level of a server", () => {
  it.each([
    ['{"result":"success","msg":"","service_feature_level":300}', 300],
    ['{"result":"success","msg":""}', 0],
    ['{"service_feature_level":999999}', 999_999],
  ])("that answers %s is %i", async (body, want) => {
    expect(await readServerLevel(await answering(body), 5_000)).toBe(want);
  });

  it.each(["<html></html>", "null", "[]", "{}", "", '{"service_feature_level":"300"}', '{"service_feature_level":-1}'])(
    "that answers %j is not known",
    async (body) => {
      await expect(readServerLevel(await answering(body), 5_000)).rejects.toThrow(CouldNotRunError);
    },
  );

  it("is not 0 where something else answers", async () => {
    const url = await answering('{"result":"error","msg":"No such path","token":"s3cret"}', 404);
    await expect(readServerLevel(url, 5_000)).rejects.toThrow(
      `${url}/api/v1/server_settings gives no settings of a chat server: it answered 404 with {"result":"error","msg":"No such path","token":"***"}`,
    );
  });

  it("is not asked for elsewhere", async () => {
    const url = await answering("", 302, { Location: "/elsewhere" });
    await expect(readServerLevel(url, 5_000)).rejects.toThrow("redirects to another path of itself with status 302");
  });

  it("that does not listen is not known", async () => {
    const { url, close } = await listen(createServer());
    await close();
    await expect(readServerLevel(url, 5_000)).rejects.toThrow(
      /does not answer: connect ECONNREFUSED 127\.0\.0\.1:\d+\. Start the server/,
    );
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ["hangs", () => undefined, /does not answer: no answer within 200 ms/],
    ["stops in the midst of an answer", (response) => response.write("{"), /does not answer: no answer within 200 ms/],
    ["hangs up", (response) => response.destroy(), /does not answer: other side closed/],
  ])("that %s is not known", async (_, answer, reason) => {
    const { url, close } = await listen(createServer((_, response) => answer(response)));
    onTestFinished(close);
    await expect(readServerLevel(url, 200)).rejects.toThrow(reason);
  });

  it("that never ends its answer is not known", async () => {
    const { url, close } = await listen(createServer((_, response) => writeForEver(response)));
    onTestFinished(close);
    await expect(readServerLevel(url, 20_000)).rejects.toThrow(/the answer is larger than 4 MiB/);
  });

  it("is not waited for when the run is stopped", async () => {
    const stop = new AbortController();
    const { url, close } = await listen(createServer(() => stop.abort(new Error("enough"))));
    onTestFinished(close);
    await expect(readServerLevel(url, 20_000, stop.signal)).rejects.toThrow(/^enough$/);
  });
});
