import { afterEach, describe, expect, it, vi } from "vitest";
import { fetchWithUploadProgress, type UploadProgress } from "../../../src/runtime/rest/client/upload-progress.js";

/** The part of `XMLHttpRequest` that the upload needs. Like some browsers, it never reports the last step. */
class BrowserRequest {
  static sent: { method: string; url: string; headers: Record<string, string>; body: Uint8Array }[] = [];
  static answer = (request: BrowserRequest) => request.onload?.();
  responseURL = "http://127.0.0.1/upload";
  status = 200;
  responseText = '{"result":"success","msg":""}';
  responseType = "";
  upload: { onprogress?: (event: object) => void; onload?: (event: object) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onprogress?: (event: object) => void;
  readonly #headers: Record<string, string> = {};
  #target = { method: "", url: "" };
  open(method: string, url: string) {
    this.#target = { method, url };
  }
  setRequestHeader(name: string, value: string) {
    this.#headers[name] = value;
  }
  getAllResponseHeaders() {
    return "content-type: application/json\r\nx-note: a: b\r\n";
  }
  abort() {
    this.onabort?.();
  }
  send(body: Uint8Array) {
    BrowserRequest.sent.push({ ...this.#target, headers: this.#headers, body });
    this.upload.onprogress?.({ loaded: 4, total: body.length });
    this.upload.onload?.({ loaded: body.length, total: body.length });
    BrowserRequest.answer(this);
  }
}

const request = (signal?: AbortSignal) =>
  new Request("http://127.0.0.1/upload", {
    method: "POST",
    body: "0123456789",
    headers: { "X-Name": "value" },
    ...(signal ? { signal } : {}),
  });
const limit = { maxBytes: 1000, createError: () => new Error("too large") };
const noFetch = () => Promise.reject(new Error("the browser's fetch reports no progress"));

describe("an upload in a browser", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    BrowserRequest.sent = [];
    BrowserRequest.answer = (made) => made.onload?.();
  });

  it("uses XMLHttpRequest and reports progress up to the end", async () => {
    vi.stubGlobal("XMLHttpRequest", BrowserRequest);
    const steps: UploadProgress[] = [];
    const response = await fetchWithUploadProgress(noFetch, (step) => steps.push(step), limit)(request());
    expect(steps).toEqual([
      { sent: 4, total: 10 },
      { sent: 10, total: 10 },
    ]);
    expect(BrowserRequest.sent).toMatchObject([
      { method: "POST", url: "http://127.0.0.1/upload", headers: { "x-name": "value" } },
    ]);
    expect([response.redirected, response.url]).toEqual([false, "http://127.0.0.1/upload"]);
    expect([response.status, response.headers.get("x-note"), await response.json()]).toEqual([
      200,
      "a: b",
      { result: "success", msg: "" },
    ]);
  });

  it("tells that the browser followed a redirect", async () => {
    vi.stubGlobal("XMLHttpRequest", BrowserRequest);
    BrowserRequest.answer = (made) => {
      made.responseURL = "http://other.example/upload";
      made.onload?.();
    };
    const response = await fetchWithUploadProgress(noFetch, () => {}, limit)(request());
    expect([response.redirected, response.url]).toEqual([true, "http://other.example/upload"]);
  });

  it("returns a response without a body", async () => {
    vi.stubGlobal("XMLHttpRequest", BrowserRequest);
    BrowserRequest.answer = (made) => {
      Object.assign(made, { status: 204, responseText: "" });
      made.onload?.();
    };
    expect((await fetchWithUploadProgress(noFetch, () => {}, limit)(request())).status).toBe(204);
  });

  it("stops reading a response that is too large", async () => {
    vi.stubGlobal("XMLHttpRequest", BrowserRequest);
    BrowserRequest.answer = (made) => {
      made.onprogress?.({ loaded: 1000 });
      made.onprogress?.({ loaded: 1001 });
    };
    await expect(fetchWithUploadProgress(noFetch, () => {}, limit)(request())).rejects.toThrow("too large");
  });

  it("sends nothing if it is aborted at once", async () => {
    vi.stubGlobal("XMLHttpRequest", BrowserRequest);
    const abort = new AbortController();
    const call = fetchWithUploadProgress(noFetch, () => {}, limit)(request(abort.signal));
    abort.abort();
    await expect(call).rejects.toThrow("aborted");
    expect(BrowserRequest.sent).toEqual([]);
  });

  it.each([
    ["fails", (made: BrowserRequest) => made.onerror?.(), "Failed to fetch"],
    ["is aborted during the upload", (_: BrowserRequest, abort: AbortController) => abort.abort(), "aborted"],
  ])("rejects if it %s", async (_, end, message) => {
    vi.stubGlobal("XMLHttpRequest", BrowserRequest);
    const abort = new AbortController();
    BrowserRequest.answer = (made) => end(made, abort);
    await expect(fetchWithUploadProgress(noFetch, () => {}, limit)(request(abort.signal))).rejects.toThrow(message);
  });
});
