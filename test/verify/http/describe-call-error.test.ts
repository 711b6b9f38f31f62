import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../src/base/listen.js";
import { callHttp } from "../../../src/verify/http/call-http.js";
import { describeCallError } from "../../../src/verify/http/describe-call-error.js";

const tls = new URL("../../reference/daemon/import/fetch/tls/", import.meta.url);

/** Describes why a URL cannot be fetched. */
async function reasonAt(url: string): Promise<string> {
  const call = callHttp({ method: "GET", url, headers: {} }, { timeoutMs: 5_000 });
  const failed = await call.catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  return describeCallError(failed, 5_000);
}

describe("describeCallError", () => {
  it("names a refused connection, for an address and for a host name", async () => {
    const { url, close } = await listen(createServer());
    await close();
    const { port } = new URL(url);
    expect(await reasonAt(url)).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`);
    expect(await reasonAt(`http://localhost:${port}`)).toMatch(/ECONNREFUSED/);
  });

  it("names an untrusted certificate, and how to trust it", async () => {
    const [cert, key] = ["test-only-certificate.pem", "test-only-key.pem"].map((name) =>
      readFileSync(new URL(name, tls), "utf8"),
    );
    const server = createTlsServer({ cert, key }, (_, response) => response.end());
    const { url, close } = await listen(server);
    onTestFinished(close);
    expect(await reasonAt(url.replace("http:", "https:"))).toMatch(/certificate.*NODE_EXTRA_CA_CERTS/);
  });

  it("names a plain http server behind an https URL", async () => {
    const { url, close } = await listen(createServer((_, response) => response.end()));
    onTestFinished(close);
    expect(await reasonAt(url.replace("http:", "https:"))).toBe("TLS failed: the server may speak plain http there");
  });

  it.each([
    [new DOMException("The operation was aborted due to timeout", "TimeoutError"), "no answer within 5000 ms"],
    [Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }), "the server closed the connection"],
    [new AggregateError([new Error("a"), new Error("b")]), "a, b"],
    ["odd", "odd"],
  ])("describes %s as: %s", (error, want) => {
    expect(describeCallError(error, 5_000)).toBe(want);
  });
});
