import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Behaviour } from "../../../../scripts/faults/chat/behaviour.js";
import { changesSuccess } from "../../../../scripts/faults/chat/changes.js";
import { startFaultProxy } from "../../../../scripts/faults/chat/create-fault-proxy.js";
import { type Listening, listen } from "../../../../src/listen.js";

const open: Listening[] = [];
afterEach(async () => {
  for (const { close } of open.splice(0).reverse()) await close();
});

/** Starts a server that echoes requests, and a proxy in front of it. */
async function start(behaviour: Behaviour, server: Server = createServer(echo)) {
  const upstream = await listen(server);
  const proxy = await startFaultProxy(upstream.url, behaviour);
  open.push(upstream, proxy);
  return proxy;
}

async function echo(request: IncomingMessage, response: import("node:http").ServerResponse): Promise<void> {
  const { method, url, rawHeaders } = request;
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  response.setHeader("X-Twice", ["one", "two"]);
  response.setHeader("Content-Type", "application/json");
  const body = Buffer.concat(pieces).toString("base64");
  response.end(JSON.stringify({ method, url, rawHeaders, body, result: "success" }));
}

const nothing: Behaviour = { on: [], start: () => (request, forward) => forward(request) };
const passing: Behaviour = { ...nothing, on: "all" };

/** Sends bytes and returns what the server sends until it closes the connection. */
function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = "";
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}

describe.each([
  ["that handles nothing", nothing],
  ["that hands everything on", passing],
])("a proxy %s", (_, behaviour) => {
  it("passes start line, headers and body unchanged", async () => {
    const { url } = await start(behaviour);
    const head = ["DELETE /api/v1/users/me/subscriptions?a=%2F%20b HTTP/1.1", "hOsT: chat", "X-a: 1", "x-A: 2"];
    const text = [...head, "Content-Length: 4", "Connection: close", "", "\r\n%Z"].join("\r\n");
    const [answerHead = "", body = ""] = (await sendRaw(url, text)).split("\r\n\r\n");
    expect(answerHead).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answerHead).toContain("X-Twice: one\r\nX-Twice: two\r\n");
    const echoed = JSON.parse(/\{.*\}/s.exec(body)?.[0] ?? "");
    expect(echoed.url).toBe("/api/v1/users/me/subscriptions?a=%2F%20b");
    expect(echoed.rawHeaders.slice(0, 8)).toEqual(["hOsT", "chat", "X-a", "1", "x-A", "2", "Content-Length", "4"]);
    expect(Buffer.from(echoed.body, "base64").toString()).toBe("\r\n%Z");
  });

  it("passes bodies of unknown length", async () => {
    const { url } = await start(behaviour);
    const head = ["DELETE /api/v1/users/me HTTP/1.1", "Host: chat", "Transfer-Encoding: chunked", "Connection: close"];
    const answer = await sendRaw(url, [...head, "", "3", "a=1", "2", "&b", "0", "", ""].join("\r\n"));
    expect(answer).toContain(Buffer.from("a=1&b").toString("base64"));
  });

  it("passes large bodies both ways", async () => {
    const { url } = await start(behaviour);
    const body = Buffer.alloc(5_000_000, "x");
    const response = await fetch(`${url}/api/v1/tus`, { method: "POST", body });
    const { body: echoed } = (await response.json()) as { body: string };
    expect(Buffer.from(echoed, "base64").equals(body)).toBe(true);
  });

  it("closes the connection when the server does", async () => {
    const { url } = await start(
      behaviour,
      createServer((request) => request.socket.destroy()),
    );
    await expect(fetch(`${url}/api/v1/server_settings`)).rejects.toThrow();
  });
});

describe("a proxy with a behaviour", () => {
  it("changes responses of its operations and adapts their length", async () => {
    const { url } = await start(changesSuccess(["getUserStatus"], () => ({ changed: "ü" })));
    const changed = await fetch(`${url}/api/v1/users/7/status`);
    expect([changed.headers.get("Content-Length"), await changed.json()]).toEqual(["16", { changed: "ü" }]);
    expect(await (await fetch(`${url}/api/v1/messages`)).json()).toMatchObject({ url: "/api/v1/messages" });
  });

  it("knows the results of provider states and the caller of a request", async () => {
    const credentials = { member: { user_id: 7, email: "m@x.example", api_key: "k" } };
    const states = createServer((_, response) =>
      response.end(JSON.stringify({ organization: "o", credentials, id: 3 })),
    );
    const seen: unknown[] = [];
    const spy: Behaviour = {
      on: "all",
      start: (known) => (request, forward) => {
        const caller = known.callerOf(request);
        seen.push(caller?.userId, known.setupsOf(request)[0]?.values, known.ownerOf("id", 3));
        return forward(request);
      },
    };
    const { url, statesUrl } = await start(spy, states);
    await fetch(statesUrl, { method: "POST", body: JSON.stringify({ state: "channel", action: "setup" }) });
    const Authorization = `Basic ${Buffer.from("m@x.example:k").toString("base64")}`;
    await fetch(`${url}/api/v1/users/me`, { method: "DELETE", headers: { Authorization } });
    expect(seen).toEqual([7, { id: 3 }, undefined]);
  });

  it("sends no response if it throws, and reports the error", async () => {
    const failing: Behaviour = {
      on: "all",
      start: () => () => {
        throw new Error("no such luck");
      },
    };
    const { url, failures } = await start(failing);
    await expect(fetch(`${url}/api/v1/messages`)).rejects.toThrow();
    expect(failures).toEqual([new Error("no such luck")]);
  });
});
