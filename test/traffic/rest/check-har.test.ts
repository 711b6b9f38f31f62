import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Listening, listen } from "../../../src/base/listen.js";
import { createChatMock } from "../../../src/chat/mock.js";
import { checkHar, proxyChat } from "../../../src/chat/traffic.js";
import { formatSummary } from "../../../src/report/format-summary.js";
import type { VerifyReport } from "../../../src/report/model/verify-report.js";
import { launchChromium } from "../../support/launch-chromium.js";
import { needing } from "../../support/needing.js";

let folder = "";
let mock: Listening;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accord-har-"));
  mock = await createChatMock();
});
afterAll(async () => {
  await mock.close();
  await rm(folder, { recursive: true });
});

function broken({ checks }: VerifyReport): string[] {
  return checks.filter(({ outcome }) => outcome.kind === "failed").map(({ id }) => id);
}

async function check(
  har: unknown,
  options: { readonly level?: number; readonly url?: string } = {},
): Promise<VerifyReport> {
  const file = join(folder, "recording.har");
  await writeFile(file, typeof har === "string" ? har : JSON.stringify(har));
  return checkHar({ file, ...options });
}

interface Sketch {
  readonly call: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly postData?: object;
  readonly content?: object;
  readonly more?: object;
  readonly status?: number;
}

/** An entry as the developer tools of Chromium write it. */
function entry({ call, headers = {}, postData, content, more, status = 200 }: Sketch): object {
  const [method, url] = call.split(" ");
  return {
    _initiator: { type: "script" },
    _priority: "High",
    _resourceType: "fetch",
    startedDateTime: "2026-11-22T21:37:40.240Z",
    time: 12.5,
    request: {
      method,
      url,
      httpVersion: "h2",
      cookies: [],
      headers: [
        { name: ":authority", value: "chat.example.com" },
        ...Object.entries(headers).map(([name, value]) => ({ name, value })),
      ],
      queryString: [],
      headersSize: -1,
      bodySize: postData === undefined ? 0 : 20,
      postData,
    },
    response: {
      status,
      statusText: "",
      httpVersion: "h2",
      cookies: [],
      headers: [
        { name: "content-type", value: "application/json" },
        { name: "content-encoding", value: "br" },
      ],
      content: { size: 50, mimeType: "application/json", text: '{"result":"success","msg":""}', ...content },
      redirectURL: "",
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 12, receive: 0 },
    ...more,
  };
}

const api = "https://chat.example.com/api/v1";
const har = (...entries: readonly object[]) => ({
  log: { version: "1.2", creator: { name: "WebInspector" }, entries },
});
/** A recording of one entry; `more` may change its request. */
function recording({ more, ...sketch }: Sketch): object {
  const one = entry(sketch) as { request: object };
  return har({
    ...one,
    request: { ...one.request, bodySize: -1, ...(more as { request?: object } | undefined)?.request },
  });
}
const form = (text: string) => ({ mimeType: "application/x-www-form-urlencoded", text, params: [] });

describe("checkHar", () => {
  it("judges what a browser's developer tools recorded without credentials", async () => {
    const report = await check(
      har(
        entry({
          call: `GET ${api}/server_settings`,
          content: { text: '{"result":"success","msg":"","service_feature_level":390}' },
        }),
        entry({
          call: `PATCH ${api}/messages/5`,
          postData: form("tpic=x"),
          content: {
            text: '{"result":"success","msg":"","detached_uploads":[],"ignored_parameters_unsupported":["tpic"]}',
          },
        }),
        entry({
          call: `POST ${api}/user_uploads`,
          postData: { mimeType: "multipart/form-data; boundary=x", params: [{ name: "file" }] },
          content: { text: undefined, size: 50 },
        }),
        entry({ call: `DELETE ${api}/users/me`, status: 0, more: { _error: "net::ERR_ABORTED" } }),
        entry({ call: "GET https://cdn.example.com/app.js", content: { text: "x" } }),
        entry({ call: "GET data:image/png;base64,AAAA" }),
        entry({ call: `GET ${api}/messages`, more: { _fromCache: "disk" } }),
      ),
    );

    expect(broken(report)).toEqual(["client editMessage: request.name tpic"]);
    expect(report.level).toBe(390);
    expect(report.target).toBe(api);
    expect(report.coverage?.exchanges).toBe(4);
  });

  it("judges what redocly proxy recorded, with bodies in base64", async () => {
    const authorization = { Authorization: `Basic ${btoa("me@example.com:sesame")}` };
    const upload = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nfun\r\n--x--\r\n';
    const report = await check(
      har(
        entry({
          call: `POST ${api}/user_uploads`,
          headers: { ...authorization, "Content-Type": "multipart/form-data; boundary=x" },
          postData: { mimeType: "multipart/form-data; boundary=x", text: btoa(upload), encoding: "base64" },
          content: {
            text: btoa('{"result":"success","msg":"","url":"/u","uri":"/u","filename":"a.txt"}'),
            encoding: "base64",
          },
        }),
        entry({
          call: `DELETE ${api}/users/me`,
          status: 401,
          content: { text: '{"result":"error","msg":"No.","code":"UNAUTHORIZED"}' },
        }),
      ),
      { level: 415 },
    );

    expect(broken(report)).toEqual(["client deactivateOwnUser: request.credentials missing"]);
  });

  it("judges its own recording as the proxy judged the traffic, and finds no secret in it", async () => {
    const file = join(folder, "own.har");
    const proxy = await proxyChat({ url: `${mock.url}/api/v1`, harFile: file });
    const credentials = { Authorization: `Basic ${btoa("hamlet@example.com:sesame-key-0123")}` };
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${proxy.apiUrl}${path}`, { ...init, headers: { ...credentials, ...init.headers } }).then((one) =>
        one.text(),
      );
    const typed = { "Content-Type": "application/x-www-form-urlencoded" };
    await call("/server_settings");
    await call("/messages?anchor=newest&num_before=5&num_after=0&api_key=sesame-query-1");
    await call("/messages/31", { method: "PATCH", headers: typed, body: "tpic=a" });
    await call("/users/me/android_reg_id", { method: "DELETE", headers: typed, body: "token=sesame-token-22" });
    await call("/users/me", { method: "DELETE", headers: { Authorization: "Bearer sesame-bearer-3" } });
    const upload = new FormData();
    upload.append("file", new File([new Uint8Array([0xff, 0xfe, 0])], "sesame.bin"));
    await call("/user_uploads", { method: "POST", body: upload });
    await proxy.close();
    const live = broken(await proxy.report());
    const text = await readFile(file, "utf8");

    expect(broken(await checkHar({ file }))).toEqual(live);
    expect(live).toEqual([
      "client deactivateOwnUser: request.credentials scheme",
      "client editMessage: request.name tpic",
      "client getMessages: request.credentials-in-url api_key",
    ]);
    expect(text).not.toMatch(/sesame-|c2VzYW1l/);
  });

  needing("chromium").it("judges what Chromium recorded", async () => {
    const page = createServer((_, response) => {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.end("<!doctype html><title>client</title>");
    });
    const site = await listen(page);
    const browser = await launchChromium();
    onTestFinished(async () => {
      await browser.close();
      await site.close();
    });
    const file = join(folder, "chromium.har");
    const context = await browser.newContext({ recordHar: { path: file, content: "embed" } });
    const tab = await context.newPage();
    await tab.goto(site.url);
    await tab.evaluate(async (url) => {
      // Chromium records only bodies that the page reads.
      const call = async (path: string, init: RequestInit = {}) => (await fetch(`${url}${path}`, init)).text();
      const headers = { Authorization: `Basic ${btoa("a@b.example:sesame")}` };
      await call("/server_settings");
      await call("/messages?anchor=newest&num_before=1&num_after=0&narow=[]", { headers });
      const body = new FormData();
      body.append("file", new File(["text"], "a.txt"));
      await call("/user_uploads", { method: "POST", headers, body });
      await call("/users/me/subscriptions", {
        method: "DELETE",
        headers,
        body: new URLSearchParams({ subscriptions: '["a"]' }),
      });
    }, `${mock.url}/api/v1`);
    await context.close();

    expect(broken(await checkHar({ file }))).toEqual(["client getMessages: request.name narow"]);
  });

  const typed = { "Content-Type": "application/x-www-form-urlencoded" };
  const mimeType = typed["Content-Type"];
  const unsubscribed = { text: '{"result":"success","msg":"","removed":["a"],"not_removed":[]}' };
  const unsubscribe = `DELETE ${api}/users/me/subscriptions`;
  const encoded = [{ name: "subscriptions", value: "%5B%22a%22%5D" }];
  const decoded = [{ name: "subscriptions", value: '["a"]' }];
  const misspelt = [...decoded, { name: "princpals", value: "[9]" }];
  const whole = "subscriptions=%5B%22a%22%5D";

  it.each<[string, Partial<Sketch>, (readonly string[])?]>([
    [
      "params with encoded values, as Chrome does, and an empty text",
      { postData: { mimeType, text: "", params: encoded } },
    ],
    ["params with encoded values, without a text", { postData: { mimeType, params: encoded } }],
    [
      "params with decoded values, as Firefox does, and an empty text",
      { postData: { mimeType, text: "", params: decoded } },
    ],
    ["params with decoded values, without a text", { postData: { mimeType, params: decoded } }],
    ["params without any media type", { headers: {}, postData: { mimeType: "", params: decoded } }],
    ["params next to a text", { postData: { mimeType, text: whole, params: decoded } }],
    [
      "params with a mistake",
      { postData: { mimeType, params: misspelt } },
      ["client unsubscribe: request.name princpals"],
    ],
    [
      "params without values",
      { postData: { mimeType, params: [{ name: "subscriptions" }] } },
      ["client unsubscribe: request.type subscriptions"],
    ],
    [
      "a text after its headers",
      { postData: { mimeType, text: `Content-Type: ${mimeType}\r\nContent-Length: 27\r\n\r\n${whole}` } },
    ],
    ["a text in base64 that is marked", { postData: { mimeType, text: btoa(whole), encoding: "base64" } }],
    ["a text in base64 that is not marked", { postData: { mimeType, text: btoa("subscriptions=%5B%22ab%22%5D") } }],
    [
      "a text that is cut",
      { headers: { ...typed, "Content-Length": "27" }, postData: { mimeType, text: whole.slice(0, 16) } },
    ],
    ["no text", { postData: { mimeType } }],
    ["an empty text", { postData: { mimeType, text: "" } }],
    ["no body, but its type", {}],
    ["no body, but its length", { headers: { "Content-Length": "27" } }],
    ["no body, but its size", { headers: {}, more: { request: { bodySize: 27 } } }],
    [
      "a file among the params",
      {
        headers: { "Content-Type": "multipart/form-data; boundary=x" },
        postData: { mimeType: "multipart/form-data", text: "", params: [{ name: "f", fileName: "a" }] },
      },
    ],
    [
      "a body that is empty",
      { headers: { ...typed, "Content-Length": "0" } },
      ["client unsubscribe: request.required subscriptions"],
    ],
    ["no body at all", { headers: {} }, ["client unsubscribe: request.required subscriptions"]],
  ])("judges no more than is recorded of a request with %s", async (_, sketch, findings = []) => {
    const report = await check(recording({ call: unsubscribe, headers: typed, content: unsubscribed, ...sketch }), {
      level: 415,
    });

    expect(broken(report).filter((id) => id.startsWith("client"))).toEqual(findings);
  });

  it.each<[string, Partial<Sketch>]>([
    ["a media type, as some libraries send with every request", { more: { request: { bodySize: -1 } } }],
    ["an empty text", { postData: { mimeType: "", text: "" }, more: { request: { bodySize: -1 } } }],
  ])("finds no body in a recorded GET request with %s", async (_, sketch) => {
    const headers = { "Content-Type": "application/json" };
    const content = { text: '{"result":"success","msg":"","status":{}}' };
    const report = await check(recording({ call: `GET ${api}/users/9/status`, headers, content, ...sketch }), {
      level: 415,
    });

    expect(broken(report)).toEqual([]);
    expect(formatSummary(report)).not.toContain("the body of the request");
  });

  it.each<[string, object]>([
    ["without a text", { content: { text: undefined } }],
    ["without a text and with size -1", { content: { text: undefined, size: -1 } }],
    ["with an empty text and the size of the body", { content: { text: "" } }],
    ["with a text that is cut", { content: { text: '{"result":"success","m', size: 62 } }],
    ["with a text in base64 that is marked", { content: { text: btoa(unsubscribed.text), encoding: "base64" } }],
    ["with a text in base64 that is not marked", { content: { text: btoa(`${unsubscribed.text} `.padEnd(63)) } }],
    ["without headers", { headers: [] }],
    [
      "without a type, but with a size",
      { headers: [{ name: "date", value: "x" }], content: { text: undefined, size: 9 } },
    ],
    ["with the status 0", { status: 0, headers: [], content: { size: 0 } }],
    ["that was aborted", { _error: "net::ERR_ABORTED", content: { text: '{"res' } }],
    ["that is null", null as unknown as object],
  ])("judges no more than is recorded of a response %s", async (_, response) => {
    const postData = { mimeType, text: whole };
    const one = entry({ call: unsubscribe, headers: typed, postData, content: unsubscribed });
    const { content, ...others } = (response ?? {}) as { content?: object };
    const before = (one as { response: { content: object } }).response;
    const changed = response === null ? null : { ...before, content: { ...before.content, ...content }, ...others };
    const report = await check(har({ ...one, response: changed }), { level: 415 });

    expect(broken(report)).toEqual([]);
  });

  it.each<[string, unknown, RegExp, object?]>([
    ["text that is not JSON", "<html>", /is not JSON/],
    ["a secret in text that is not JSON", `{"log": s3cret}`, /is not JSON: (?!.*s3cret)/],
    [
      "a recording that was cut off",
      JSON.stringify(har(entry({ call: `GET ${api}/x` }))).slice(0, 200),
      /seems to be cut off/,
    ],
    [
      "a recording that a proxy still writes",
      JSON.stringify(har(entry({ call: `GET ${api}/x` }))).replace(/\]\}\}$/, ""),
      /seems to be cut off/,
    ],
    ["another JSON", { entries: [] }, /no list log\.entries/],
    [
      "an entry without a URL",
      har({ startedDateTime: "2026-01-01T00:00:00Z", request: { method: "GET" } }),
      /log\.entries\[0\]: request must have/,
    ],
    ["an entry without a time", har({ request: { method: "GET", url: api } }), /startedDateTime must be a time/],
    [
      "an entry without headers",
      har({ ...entry({ call: `GET ${api}/x` }), request: { method: "GET", url: api } }),
      /headers must be a list/,
    ],
    [
      "a recording without calls of the API",
      har(entry({ call: "GET https://chat.example.com/" })),
      /no call to a path with \/api\/v1\//,
    ],
    [
      "a recording of two servers",
      har(entry({ call: `GET ${api}/x` }), entry({ call: "GET http://b.example/api/v1/x" })),
      /several servers: https:\/\/chat\.example\.com\/api\/v1, .* --url/,
    ],
    ["a recording without a level", har(entry({ call: `GET ${api}/messages` })), /give --feature-level/],
    [
      "a wrong URL",
      har(entry({ call: `GET ${api}/messages` })),
      /must be http or https, such as/,
      { url: "chat.example.com" },
    ],
  ])("rejects %s, and says what to do", async (_, content, message, options) => {
    await expect(check(content, options)).rejects.toThrow(message);
  });

  it("finds credentials in a URL, and never shows them", async () => {
    const { origin } = new URL(api);
    const secret = "sesame-7Kp2xQ9d";
    const url = `${api}/messages?anchor=newest&num_before=1&num_after=0`.replace("://", `://hamlet:${secret}@`);
    const report = await check(har(entry({ call: `GET ${url}` })), { level: 415 });

    expect(report.target).toBe(`${origin}/api/v1`);
    expect(broken(report)).toContain("client getMessages: request.credentials-in-url URL");
    expect(formatSummary(report)).not.toContain(secret);
  });

  it("rejects a file that would take too much memory, and says what to do", async () => {
    const file = join(folder, "large.har");
    await writeFile(file, "");
    await truncate(file, 141 * 2 ** 20);

    await expect(checkHar({ file })).rejects.toThrow(
      /large\.har cannot be read: it has 141 MiB, and at most 64 MiB are read\. .* split its log\.entries/,
    );
  });

  it("rejects a file that does not exist", async () => {
    await expect(checkHar({ file: join(folder, "none.har") })).rejects.toThrow(/cannot be read: ENOENT/);
  });
});
