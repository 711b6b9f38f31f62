import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDocsServer } from "../../src/http/create-docs-server.js";
import { useOwnTemporaryFolder } from "../support/own-temporary-folder.js";
import { exchange } from "../support/raw-http.js";
import { startProgram } from "../support/start-program.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Serves a folder with two pages and a link to a file outside. */
async function serveFolder(): Promise<string> {
  const { path } = useOwnTemporaryFolder();
  const folder = join(path, "site");
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), "<p>start");
  writeFileSync(join(folder, "404.html"), "<p>missing");
  writeFileSync(join(folder, "assets/app.Ab12_xyZ.js"), "1");
  writeFileSync(join(path, "secret.txt"), "secret");
  symlinkSync(join(path, "secret.txt"), join(folder, "link.txt"));
  const server = await createDocsServer(folder);
  onTestFinished(server.close);
  return server.url;
}

describe("the server of the documentation", () => {
  it("serves pages, and lets browsers cache files with a digest in their name", async () => {
    const url = await serveFolder();
    const page = await fetch(`${url}/?level=300`);
    expect([page.status, page.headers.get("Content-Type"), await page.text()]).toEqual([
      200,
      "text/html; charset=utf-8",
      "<p>start",
    ]);
    expect(page.headers.get("Cache-Control")).toBe("no-cache");
    const script = await fetch(`${url}/assets/app.Ab12_xyZ.js`, { method: "HEAD" });
    expect(script.headers.get("Cache-Control")).toContain("immutable");
  });

  it.each([
    ["rebound.example", 403],
    ["rebound.example:4030", 403],
    ["127.0.0.1.rebound.example", 403],
    ["localhost", 200],
    ["127.0.0.1:4030", 200],
    ["[::1]:4030", 200],
  ])("answers a request for the host %s with %i", async (host, status) => {
    const url = new URL(await serveFolder());
    const sent = request({ port: url.port, host: url.hostname, headers: { host } }).end();
    const [response] = await once(sent, "response");
    response.resume();
    expect(response.statusCode).toBe(status);
  });

  it("answers an unknown path with the page for it, and other methods with 405", async () => {
    const url = await serveFolder();
    const missing = await fetch(`${url}/other.html`);
    expect([missing.status, await missing.text()]).toEqual([404, "<p>missing"]);
    expect((await fetch(url, { method: "POST", body: "x" })).status).toBe(405);
  });

  it.each([
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/link.txt",
    "/index.html%00",
    "/%zz",
    "/assets",
  ])("serves nothing outside its folder for %s", async (target) => {
    const answer = await exchange(await serveFolder(), { method: "GET", target });
    expect(answer?.status).toBe(404);
    expect(answer?.body).not.toContain("secret");
  });
});

describe("accord docs", () => {
  it("serves the site on the loopback interface until it is stopped", async () => {
    const server = await startProgram({
      command: "node --import tsx reference/cli/main.ts docs --port 0",
      folder: root,
      ready: /documentation {2}(http:\S+)/,
      install: "npm ci",
    });
    onTestFinished(server.stop);
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const page = await fetch(server.address);
    expect(await page.text()).toContain("I write a client");
  });
});
