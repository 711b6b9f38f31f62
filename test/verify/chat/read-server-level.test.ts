import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../src/listen.js";
import { readServerLevel } from "../../../src/verify/chat/read-server-level.js";
import { CouldNotRunError } from "../../../src/verify/could-not-run-error.js";

async function answering(body: string): Promise<string> {
  const { url, close } = await listen(
    createServer((request, response) => response.end(request.url === "/api/v1/server_settings" ? body : "{}")),
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

  it.each(["<html></html>", "null", "[]", '{"service_feature_level":"300"}', '{"service_feature_level":-1}'])(
    "that answers %s is not known",
    async (body) => {
      await expect(readServerLevel(await answering(body), 5_000)).rejects.toThrow(CouldNotRunError);
    },
  );

  it("that does not listen is not known", async () => {
    const url = await answering("{}");
    const port = Number(new URL(url).port);
    await expect(readServerLevel(`http://127.0.0.1:${port === 1 ? 2 : 1}`, 5_000)).rejects.toThrow("does not answer");
  });
});
