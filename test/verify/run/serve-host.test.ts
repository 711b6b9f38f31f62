import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { ServedHost } from "../../../src/contract/served-host.js";
import { type RunningHost, serveHost } from "../../../src/verify/run/serve-host.js";

const hosts: RunningHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

async function start(given: ServedHost): Promise<RunningHost> {
  const host = await serveHost(given);
  hosts.push(host);
  return host;
}

function redirect(location: string, next: ServedHost, status?: number): ServedHost {
  // biome-ignore lint/suspicious/noThenProperty: the format of the cases uses this name
  return { kind: "redirect", location, then: next, status };
}

const ask = (host: RunningHost, path = "/s/t0ken?q=1", init: RequestInit = {}) =>
  fetch(`${host.origin}${path}`, { redirect: "manual", ...init });

/** Returns the raw response to a request, or the error code if the connection fails. */
function raw(host: RunningHost, request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(new URL(host.origin).port), "127.0.0.1", () => socket.write(request));
    socket.setEncoding("latin1").on("data", (piece) => {
      text += piece;
    });
    socket.on("end", () => resolve(text)).on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
  });
}

describe("serveHost with content", () => {
  it("serves body and headers for every path and method", async () => {
    const host = await start({ kind: "content", headers: { "profile-title": "Zürich" }, body: "trojan://ü" });
    for (const path of ["/", "/s/t0ken", "/../%ZZ?a=%00"]) {
      const response = await ask(host, path);
      expect([response.status, await response.text()]).toEqual([200, "trojan://ü"]);
      expect(Buffer.from(response.headers.get("profile-title") ?? "", "latin1").toString()).toBe("Zürich");
    }
    expect(await (await ask(host, "/", { method: "POST", body: "x".repeat(100_000) })).text()).toBe("trojan://ü");
  });

  it("serves the given status", async () => {
    const response = await ask(
      await start({ kind: "content", status: 503, headers: { "retry-after": "120" }, body: "" }),
    );
    expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([503, "120", ""]);
  });

  it("encodes the body", async () => {
    const response = await ask(await start({ kind: "content", body: "ü\n", encoding: "base64" }));
    expect(await response.text()).toBe("w7wK");
  });

  it("records requests up to a maximum", async () => {
    const host = await start({ kind: "content", body: "" });
    await ask(host, "/s/t0ken?q=1", { headers: { "user-agent": "test" } });
    expect(host.requests).toEqual([
      { method: "GET", path: "/s/t0ken?q=1", headers: expect.objectContaining({ "user-agent": "test" }) },
    ]);
    await raw(
      host,
      `${"GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1100)}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(host.requests).toHaveLength(1000);
  });
});

describe("serveHost with a redirect", () => {
  const content: ServedHost = { kind: "content", body: "there" };

  it("redirects once, and again after a rewind", async () => {
    const host = await start(redirect("/v2/s?from=%2Fs", content));
    for (let call = 0; call < 2; call++) {
      const response = await ask(host);
      expect([response.status, response.headers.get("location")]).toEqual([302, "/v2/s?from=%2Fs"]);
      expect(await (await ask(host)).text()).toBe("there");
      await host.rewind();
    }
  });

  it("replaces the host of an http target with its own, and keeps other targets", async () => {
    const elsewhere = redirect("http://[broken/s?token=1", content, 308);
    const host = await start(redirect("https://other.example/s", elsewhere));
    expect((await ask(host)).headers.get("location")).toBe(`${host.origin}/s`);
    const second = await ask(host);
    expect([second.status, second.headers.get("location")]).toEqual([308, "http://[broken/s?token=1"]);
  });

  it("refuses connections after the redirect, and accepts them again after a rewind", async () => {
    const host = await start(redirect("/v2", { kind: "refused" }));
    for (let call = 0; call < 2; call++) {
      expect((await ask(host)).status).toBe(302);
      expect(await raw(host)).toBe("ECONNREFUSED");
      await host.rewind();
    }
  });
});

describe("serveHost with a failure", () => {
  it("refuses connections, and keeps its port", async () => {
    const host = await start({ kind: "refused" });
    const others = await Promise.all(Array.from({ length: 200 }, () => start({ kind: "silent" })));
    expect(others.map(({ origin }) => origin)).not.toContain(host.origin);
    for (let call = 0; call < 3; call++) {
      expect(await raw(host)).toBe("ECONNREFUSED");
      await host.rewind();
    }
    expect(host.requests).toEqual([]);
  });

  it("accepts a connection and sends nothing", async () => {
    const host = await start({ kind: "silent" });
    const caller = new AbortController();
    const answer = ask(host, "/s/t0ken", { signal: caller.signal });
    const ended = expect(answer).rejects.toThrow(/aborted/);
    await expect.poll(() => host.requests).toMatchObject([{ path: "/s/t0ken" }]);
    const isSilent = await Promise.race([answer.then(() => false), sleep(200).then(() => true)]);
    caller.abort();
    await ended;
    expect(isSilent).toBe(true);
  });

  it("cuts its response", async () => {
    const host = await start({ kind: "cut", body: "trojan://a" });
    expect(await raw(host)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\ntrojan:\/\/a$/);
    const response = await ask(host);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it("sends garbage", async () => {
    const host = await start({ kind: "garbage", body: "ERR '/link'\r\n" });
    expect(await raw(host)).toBe("ERR '/link'\r\n");
    await expect(ask(host)).rejects.toThrow("fetch failed");
  });

  it("survives clients that disconnect or send garbage", async () => {
    const host = await start({ kind: "content", body: "there" });
    expect(await raw(host, "\u0016\u0003\u0001 nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400/);
    const socket = connect(Number(new URL(host.origin).port), "127.0.0.1", () => {
      socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      socket.resetAndDestroy();
    });
    await new Promise((done) => socket.once("close", done));
    expect(await (await ask(host)).text()).toBe("there");
  });
});

describe("close of a subscription host", () => {
  it.each<ServedHost>([
    { kind: "content", body: "" },
    { kind: "silent" },
    { kind: "refused" },
    redirect("/", { kind: "refused" }),
  ])("leaves nothing behind: $kind", async (given) => {
    const host = await start(given);
    const request = ask(host).catch(() => {});
    if (given.kind === "silent") await expect.poll(() => host.requests.length).toBe(1);
    else await request;
    await Promise.all([host.close(), host.close()]);
    await request;
    expect(await raw(host)).toBe("ECONNREFUSED");
  });
});
