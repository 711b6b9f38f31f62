import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";
import { basicAuth } from "../uploads/basic-auth.js";

const named = "https://ui.example.org";
const foreign = "https://evil.example";
const local = ["http://localhost:5173", "https://localhost", "http://127.0.0.1:4016", "http://[::1]:8080"];
const unnamed = [foreign, `${named}:8443`, "http://ui.example.org", "http://localhost.evil.example", "null", "file://"];

let server: ChatReference;
let setup: ChatSetup;
beforeAll(async () => {
  server = await createChatReference({ states: true, origins: [named] });
  setup = await setUpChat(server);
});
afterAll(() => server.close());

/** Sends a request as a browser does for a page of the origin. */
function call(path: string, origin: string, { headers = {}, ...init }: RequestInit = {}): Promise<Response> {
  const credentials = basicAuth(setup.credentials("member"));
  return fetch(new URL(path, server.url), { ...init, headers: { ...credentials, Origin: origin, ...headers } });
}

/** Asks whether a page may send a request. */
function preflight(path: string, origin: string, method: string, headers = "authorization"): Promise<Response> {
  const asked = { "Access-Control-Request-Method": method, "Access-Control-Request-Headers": headers };
  return fetch(new URL(path, server.url), { method: "OPTIONS", headers: { Origin: origin, ...asked } });
}

const corsHeadersOf = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith("access-control"));

describe("a page from this machine or a named origin", () => {
  it.each([...local, named])("may send any request from %s", async (origin) => {
    for (const [path, method, headers] of [
      ["/api/v1/messages/7", "PATCH", "authorization,content-type"],
      ["/api/v1/users/me/subscriptions", "DELETE", "authorization"],
      ["/api/v1/tus", "POST", "authorization,tus-resumable,upload-length,upload-metadata"],
      ["/api/v1/tus/1-abc", "PATCH", "authorization,tus-resumable,upload-offset"],
      ["/user_uploads/2/ab/name.txt", "GET", "authorization"],
    ] as const) {
      const response = await preflight(path, origin, method, headers);
      expect([response.status, await response.text()]).toEqual([204, ""]);
      expect(response.headers.get("access-control-allow-origin")).toBe(origin);
      expect(response.headers.get("access-control-allow-methods")).toContain(method);
      expect(response.headers.get("access-control-allow-headers")).toBe(headers);
      expect(response.headers.get("vary")).toBe("Origin");
    }
  });

  it("reads responses and errors of operations, resumable uploads and files", async () => {
    const origin = "http://localhost:5173";
    const body = new FormData();
    body.set("file", new Blob(["hello"]), "hello.txt");
    const uploaded = await call("/api/v1/user_uploads", origin, { method: "POST", body });
    const { url } = (await uploaded.clone().json()) as { url: string };
    const version = { "Tus-Resumable": "1.0.0" };
    const begun = await call("/api/v1/tus", origin, { method: "POST", headers: { ...version, "Upload-Length": "5" } });
    const responses = [
      uploaded,
      begun,
      await call(begun.headers.get("location") ?? "", origin, { method: "HEAD", headers: version }),
      await call(url, origin),
      await call("/api/v1/messages/999999", origin, { method: "PATCH" }),
      await call("/api/v1/server_settings", origin),
      await call("/nothing", origin),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 201, 200, 200, 400, 200, 404]);
    for (const { headers } of responses) {
      expect(headers.get("access-control-allow-origin")).toBe(origin);
      expect(headers.get("access-control-expose-headers")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("vary")).toBe("Origin");
    }
  });
});

describe("a page from another origin", () => {
  it.each(unnamed)("cannot send requests from %s", async (origin) => {
    const response = await preflight("/api/v1/messages/7", origin, "PATCH");
    expect([response.status, corsHeadersOf(response)]).toEqual([403, []]);
    expect(await response.json()).toMatchObject({ result: "error", msg: expect.stringContaining("--cors") });
    expect(response.headers.get("vary")).toBe("Origin");
  });

  it.each(unnamed)("cannot read responses from %s", async (origin) => {
    for (const path of ["/api/v1/server_settings", "/healthz"]) {
      const response = await call(path, origin);
      expect([response.status, corsHeadersOf(response), response.headers.get("vary")]).toEqual([200, [], "Origin"]);
    }
  });

  it.each([...unnamed, named])("cannot set up provider states from %s", async (origin) => {
    // A browser sends this form without a preflight.
    const response = await call("/states", origin, {
      method: "POST",
      headers: { "Content-Type": "text/plain" },
      body: JSON.stringify({ state: "organization", action: "setup" }),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ msg: "Only pages from this machine may set up provider states" });
  });
});

describe("createPageAccess", () => {
  it("sends no CORS headers to programs, whose requests have no Origin", async () => {
    const response = await fetch(`${server.url}/healthz`);
    expect([response.status, corsHeadersOf(response), response.headers.get("vary")]).toEqual([200, [], "Origin"]);
  });

  it("lets pages from this machine set up provider states", async () => {
    const response = await call("/states", "http://127.0.0.1:4016", {
      method: "POST",
      body: JSON.stringify({ state: "organization", action: "setup" }),
    });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "http://127.0.0.1:4016",
    ]);
  });
});
