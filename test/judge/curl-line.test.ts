import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { curlLine } from "../../src/judge/curl-line.js";
import type { HttpRequest } from "../../src/judge/http-message.js";
import { needing } from "../support/needing.js";
import { startExampleServer } from "../verify/rest/example-server.js";

const form = { "Content-Type": "application/x-www-form-urlencoded" };
let server: Awaited<ReturnType<typeof startExampleServer>>;
beforeAll(async () => {
  server = await startExampleServer(() => ({ body: {} }));
});
afterAll(() => server.close());

describe("curlLine", () => {
  it.each<[string, Omit<HttpRequest, "url">, string]>([
    ["a GET", { method: "GET", headers: {} }, "curl URL"],
    [
      "a form",
      { method: "PATCH", headers: form, body: "topic=it%27s&ids=%5B1%2C2%5D&none=" },
      `curl -X PATCH --data-urlencode 'topic=it'\\''s' --data-urlencode 'ids=[1,2]' --data-urlencode none= URL`,
    ],
    [
      "credentials",
      { method: "POST", headers: { Authorization: `Basic ${btoa("me@x.example:sesame")}` }, body: "a" },
      "curl -u 'me@x.example:***' --data-raw a URL",
    ],
    [
      "other credentials",
      { method: "GET", headers: { authorization: "Bearer sesame" } },
      "curl -H 'authorization: ***' URL",
    ],
    [
      "malformed credentials",
      { method: "GET", headers: { Authorization: "Basic se?" } },
      "curl -H 'Authorization: ***' URL",
    ],
    ["a header without a value", { method: "HEAD", headers: { "X-Nothing": "" } }, "curl --head -H 'X-Nothing;' URL"],
  ])("writes %s", async (_, request, want) => {
    expect((await curlLine({ ...request, url: "http://127.0.0.1:1/a" })).replace("http://127.0.0.1:1/a", "URL")).toBe(
      want,
    );
  });

  needing("curl").it.each<[string, HttpRequest["body"] & string, Record<string, string>]>([
    ["a form", "a=%5B1%5D&b=it%27s&c=", form],
    ["a form that curl would encode differently", "a=%5b1%5d&b=x%20y&%20=1", form],
    ["a field that looks like a file reference", "a=%40notes.txt&b=%3C%24HOME%60id%60", form],
    ["JSON", `{"a": "it's \\"@\\" $HOME \\n"}`, { "Content-Type": "application/json" }],
    ["multi-line text", "@a\nb\r\n\t100% %s \\x41", { "Content-Type": "text/plain" }],
    ["text with a NUL character", "a\0b'\\0 %d", { "Content-Type": "application/octet-stream" }],
  ])("repeats %s", async (_, body, headers) => {
    await run({ method: "DELETE", url: `${server.url}/x?a=%5B&b=it's`, headers, body });
    const seen = server.seen.at(-1);
    expect([seen?.method, seen?.url]).toEqual(["DELETE", "/x?a=%5B&b=it's"]);
    const isForm = headers === form;
    const fields = (text: string | undefined) => (isForm ? [...new URLSearchParams(text)] : text);
    expect(fields(seen?.body)).toEqual(fields(body));
  });

  needing("curl").it("repeats a path with dots and brackets", async () => {
    await run({ method: "GET", url: `${server.url}/a/../[b]/{c,d}/..`, headers: {} });
    expect(server.seen.at(-1)?.url).toBe("/a/../[b]/{c,d}/..");
  });

  needing("curl").it("repeats an upload", async () => {
    const text = `a; "b"\\ 'c'\nä`;
    const body: HttpRequest["body"] = [
      ["file", new File([text], `n "1".txt`, { type: "text/plain" })],
      ["note", '@;type="x"'],
    ];
    await run({
      method: "POST",
      url: server.url,
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
      body,
    });
    expect(server.seen.at(-1)?.body).toContain(
      `filename="n %221%22.txt"\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`,
    );
    expect(server.seen.at(-1)?.body).toContain('name="note"\r\n\r\n@;type="x"\r\n');
  });

  it("references a binary file by name", async () => {
    const body: HttpRequest["body"] = [["file", new File([Buffer.from([0xff, 0])], "a.bin")]];
    expect(await curlLine({ method: "POST", url: "http://x", headers: {}, body })).toBe(
      `curl -F 'file=@"a.bin";filename="a.bin"' http://x`,
    );
  });
});

async function run(request: HttpRequest): Promise<void> {
  await promisify(execFile)("sh", ["-c", (await curlLine(request)).replace(/\bcurl /, "curl -sS ")]);
}
