import { describe, expect, it } from "vitest";
import { describeExchange } from "../../src/judge/describe-exchange.js";
import { createMask } from "../../src/judge/mask.js";

const mask = createMask(["sesame"]);
const url = "http://127.0.0.1:1/api/v1/a";

describe("describeExchange", () => {
  it("shows request and response without secrets", async () => {
    const headers = { Authorization: `Basic ${btoa("me@x.example:sesame")}`, "Content-Type": "text/plain" };
    const response = { status: 400, headers: { "x-echo": "sesame" }, text: '{"key":"sesame"}' };
    expect(await describeExchange({ method: "POST", url, headers, body: "say sesame" }, response, mask)).toEqual({
      command: `curl -u 'me@x.example:***' -H 'Content-Type: text/plain' --data-raw 'say ***' ${url}`,
      request: `POST ${url}\nAuthorization: Basic ***\nContent-Type: text/plain\n\nsay ***`,
      response: '400 Bad Request\nx-echo: ***\n\n{"key":"***"}',
    });
  });

  it("omits the response if there was none", async () => {
    expect(await describeExchange({ method: "GET", url, headers: {} }, undefined, mask)).toEqual({
      command: `curl ${url}`,
      request: `GET ${url}`,
    });
  });

  it("names files, and truncates long bodies without cutting a secret in two", async () => {
    const text = `${"x".repeat(3998)}sesame`;
    const body: readonly [string, File][] = [["file", new File(["abc"], "a.txt", { type: "text/plain" })]];
    const { request, response } = await describeExchange(
      { method: "POST", url, headers: {}, body },
      { status: 599, headers: {}, text },
      mask,
    );
    expect(request).toBe(`POST ${url}\n\nfile: file "a.txt", text/plain, 3 bytes`);
    expect(response).toBe(`599\n\n${"x".repeat(3998)}**…`);
  });

  it("does not search the whole body for the end of each form field in a JSON string", async () => {
    const headers = { "Content-Type": "application/json" };
    // Quadratic time would take minutes.
    const body = JSON.stringify({ text: '"token=a&\\'.repeat(300_000) });
    expect((await describeExchange({ method: "POST", url, headers, body }, undefined, mask)).request).toContain("***");
  });
});
