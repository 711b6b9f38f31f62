import { createServer, type RequestListener } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { send } from "../../../site/components/console/send.js";
import { formatAnswer } from "../../../site/components/console/show-request.js";
import { listen } from "../../../src/base/listen.js";

const idle = new AbortController().signal;

async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await listen(createServer(listener));
  onTestFinished(close);
  return url;
}

function get(url: string, signal = idle) {
  return send({ method: "GET", url, headers: {} }, signal);
}

describe("send", () => {
  it("returns status, headers and text of an error", async () => {
    const url = await serve((_, response) =>
      response.writeHead(400, { "X-Test": "yes" }).end('{"code":"BAD_REQUEST"}'),
    );
    const outcome = await get(url);
    expect(outcome).toMatchObject({ kind: "answer", status: 400, text: '{"code":"BAD_REQUEST"}' });
    expect(outcome.kind === "answer" && Object.fromEntries(outcome.headers)["x-test"]).toBe("yes");
  });

  it("follows no redirect", async () => {
    let calls = 0;
    const url = await serve((_, response) => {
      calls++;
      response.writeHead(302, { Location: "/elsewhere" }).end();
    });
    expect(await get(url)).toMatchObject({ kind: "failure", reason: expect.stringContaining("redirects") });
    expect(calls).toBe(1);
  });

  it("stops reading an answer that never ends", async () => {
    const url = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    });
    expect(await get(url)).toEqual({ kind: "failure", reason: "No answer shown: the answer is larger than 4 MiB." });
  });

  it("names likely reasons if there is no answer", async () => {
    const { url, close } = await listen(createServer());
    await close();
    const outcome = await get(url);
    expect(outcome).toMatchObject({ kind: "failure", reason: expect.stringContaining(`No answer from ${url}`) });
    expect(outcome).toMatchObject({ reason: expect.stringContaining("--cors") });
  });

  it("ends when it is cancelled", async () => {
    const controller = new AbortController();
    const url = await serve(() => controller.abort());
    expect(await get(url, controller.signal)).toEqual({ kind: "failure", reason: "Cancelled." });
  });
});

describe("formatAnswer", () => {
  const answer = { kind: "answer", status: 200, statusText: "OK", headers: [], durationMs: 1 } as const;

  it("indents JSON", () => {
    expect(formatAnswer({ ...answer, text: '{"a": [1]}' })).toBe('200 OK\n\n{\n  "a": [\n    1\n  ]\n}');
  });

  it.each(['{"id":90071992547409931}', '{"a":1.0}', '{"a":1,"a":2}', "<html>", '{"a":'])("does not change %s", (text) =>
    expect(formatAnswer({ ...answer, text })).toBe(`200 OK\n\n${text}`),
  );
});
