import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import type { DaemonServer } from "../../../src/daemon/index.js";
import { serve, urlOf } from "../../daemon/server/serve.js";

describe("a web page", () => {
  async function call(server: DaemonServer, method: string, headers: Record<string, string>) {
    const sent = httpRequest(new URL("/proxydaemon.v1.ProxySubscriptions/SelectNode", urlOf(server)), {
      method,
      headers,
    });
    sent.end(method === "POST" ? "{}" : undefined);
    const [response] = await once(sent, "response");
    const text = Buffer.concat(await response.toArray()).toString();
    return { status: response.statusCode, headers: response.headers, text };
  }

  it.each([
    "https://evil.example",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "null",
    "file://",
    "x",
  ])("is rejected from %s", async (origin) => {
    let calls = 0;
    const server = await serve({}, { selectNode: () => ({ id: ++calls }) });
    const { status, headers } = await call(server, "POST", { origin, "content-type": "application/json" });
    expect({ status, calls, cors: headers["access-control-allow-origin"] }).toEqual({
      status: 403,
      calls: 0,
      cors: undefined,
    });
  });

  it("is rejected under its own host name that resolves to loopback", async () => {
    const server = await serve();
    const host = `rebound.example:${urlOf(server).port}`;
    expect((await call(server, "POST", { host, origin: `http://${host}` })).status).toBe(403);
  });

  it.each(["http://localhost:5173", "http://127.0.0.1:4020", "https://app.localhost", "http://[::1]:80"])(
    "can call from %s and read the response",
    async (origin) => {
      const server = await serve();
      const preflight = await call(server, "OPTIONS", {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,prefer",
      });
      expect(preflight).toMatchObject({
        status: 204,
        headers: { "access-control-allow-origin": origin, "access-control-allow-headers": "content-type,prefer" },
      });
      expect(preflight.headers["access-control-allow-methods"]).toContain("POST");
      const answer = await call(server, "POST", { origin, "content-type": "application/json" });
      expect(answer).toMatchObject({ status: 200, headers: { "access-control-allow-origin": origin, vary: "Origin" } });
      expect(answer.headers["access-control-expose-headers"]?.toString().toLowerCase()).toContain("grpc-status");
    },
  );
});
