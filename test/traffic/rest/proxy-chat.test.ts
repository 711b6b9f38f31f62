import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Listening } from "../../../src/base/listen.js";
import { createChatClient } from "../../../src/chat/client/create-chat-client.js";
import { loadCases } from "../../../src/chat/contract.js";
import { createChatMock } from "../../../src/chat/mock.js";
import { type ProxyChatOptions, proxyChat } from "../../../src/chat/traffic.js";
import { exitCode } from "../../../src/report/model/to-json-report.js";
import { strains } from "../../../src/traffic/rest/provoke/strains.js";
import { needing } from "../../support/needing.js";
import { sendCase } from "../../support/send-case.js";
import { startRawServer } from "../forward/hostile-peers.js";

let mock: Listening;

beforeAll(async () => {
  mock = await createChatMock();
});
afterAll(() => mock.close());

async function startProxy(options: Partial<ProxyChatOptions> = {}) {
  const proxy = await proxyChat({ url: `${mock.url}/api/v1`, ...options });
  onTestFinished(() => proxy.close());
  return proxy;
}

const caller = { email: "hamlet@example.com", api_key: "sesame-key-0123" };

function client({ url }: { readonly url: string }) {
  return createChatClient({ baseUrl: url, email: caller.email, apiKey: caller.api_key, retry: { attempts: 1 } });
}

function planCase({ url }: { readonly url: string }, body: unknown, type = "application/json") {
  return fetch(`${url}/accord/next`, { method: "POST", headers: { "Content-Type": type }, body: JSON.stringify(body) });
}

describe("proxyChat", () => {
  it("finds no mistake of this package's client in any case with a success", async () => {
    const proxy = await startProxy();
    const cases = (await loadCases()).filter(
      ({ response, operationId }) => response.status < 300 && operationId !== "createResumableUpload",
    );
    for (const one of cases) await sendCase(one, proxy.url, one.as === "nobody" ? undefined : caller);
    const { checks, coverage } = await proxy.report();
    const failed = checks.filter(({ outcome }) => outcome.kind === "failed");

    expect(failed).toEqual([]);
    expect(coverage?.exchanges).toBe(cases.length);
    expect(coverage?.sections[0]?.items.filter(({ count }) => count === 0)).toEqual([
      { name: "createResumableUpload", count: 0 },
    ]);
  });

  it("answers the next call to an operation with a planned case, once", async () => {
    const proxy = await startProxy();
    const planned = await planCase(proxy, { case: "unsubscribe/unknown_channel" });
    const unsubscribe = () => client(proxy).unsubscribe({ subscriptions: ["Verona"] });
    await client(proxy).getServerSettings();
    const [first, second] = [await unsubscribe(), await unsubscribe()];
    const report = await proxy.report();

    expect(planned.status).toBe(200);
    expect(first).toMatchObject({ ok: false, error: { code: "STREAM_DOES_NOT_EXIST" } });
    expect(second.ok).toBe(true);
    expect(report.coverage?.provoked).toEqual([
      { name: "case unsubscribe/unknown_channel", count: 1, repeated: 1, wentOn: 0, stopped: 0 },
    ]);
    expect(report.coverage?.sections[2]?.items).toContainEqual({
      name: "STREAM_DOES_NOT_EXIST",
      operation: "unsubscribe",
      count: 1,
    });
    expect(exitCode(report)).toBe(0);
  });

  it.each([
    [
      "an unknown case",
      { case: "unsubscribe/unknown_chanel" },
      400,
      "application/json",
      /Its cases: .*unknown_channel/,
    ],
    [
      "an unknown operation",
      { case: "unsubscrib/unknown_channel" },
      400,
      "application/json",
      /Similar cases: unsubscribe\/unknown_channel/,
    ],
    ["another object", { name: "x" }, 400, "application/json", /Send an object/],
    ["a large body", "x".repeat(100_000), 413, "application/json", /larger/],
    ["another type", { case: "unsubscribe/unknown_channel" }, 415, "text/plain", /Send JSON/],
  ])("refuses to plan %s", async (_, body, status, type, message) => {
    const proxy = await startProxy();
    const response = await planCase(proxy, body, type);

    expect(response.status).toBe(status);
    expect(((await response.json()) as { msg: string }).msg).toMatch(message);
  });

  it("strains a client in every way, reproducibly with a seed, and reports what it did next", async () => {
    const run = async () => {
      const proxy = await startProxy({ strain: { seed: 7, slowMs: 5 } });
      const chat = client(proxy);
      for (let round = 0; round < 12; round++) {
        const answer = await chat.getMessages({ anchor: "newest", num_before: 1, num_after: 0 });
        if (!answer.ok) await chat.getMessages({ anchor: "newest", num_before: 1, num_after: 0 });
        await chat.getServerSettings();
        await chat.unsubscribe({ subscriptions: ["nowhere"] });
        await chat.deleteAttachment({ attachment_id: 9 }, { headers: { Prefer: "code=400" } });
      }
      return proxy.report();
    };
    const [first, second] = [await run(), await run()];

    // With this seed, the settings state no level.
    const wanted = Object.keys(strains).filter((name) => name !== "older-level");
    expect(first.coverage?.provoked.map(({ name }) => name).sort()).toEqual(wanted.sort());
    expect(second.coverage?.provoked).toEqual(first.coverage?.provoked);
    // A response that the proxy changed says nothing about the server.
    expect(first.checks.filter(({ outcome }) => outcome.kind === "failed")).toEqual([]);
    expect(first.seed).toBe(7);
  });

  it("writes large anchors digit by digit", async () => {
    const proxy = await startProxy({ strain: { seed: 1, slowMs: 1 } });
    const texts = [];
    for (let round = 0; round < 20; round++) {
      const response = await fetch(`${proxy.apiUrl}/messages?anchor=newest&num_before=1&num_after=0`, {
        headers: { Authorization: `Basic ${btoa("a@b.example:k")}` },
      });
      texts.push(await response.text());
    }
    expect(texts.filter((text) => text.includes('"anchor":10000000000000001'))).not.toEqual([]);
  });

  needing("curl").it.each([
    ["curl", ["-s", "-o", "/dev/null", "-u", "me@example.com:sesame", "-X", "PATCH", "-d", "topic=x"]],
    ["curl with an upload", ["-s", "-o", "/dev/null", "-u", "me@example.com:sesame", "-F", "file=@package.json"]],
  ])("judges %s as correct", async (name, args) => {
    const proxy = await startProxy();
    const path = name === "curl" ? "/messages/31" : "/user_uploads";
    const { status, error } = await spawnAsync("curl", [...args, `${proxy.apiUrl}${path}`]);
    const report = await proxy.report();

    expect({ status, error }).toEqual({ status: 0, error: undefined });
    expect(report.checks.length).toBeGreaterThanOrEqual(2);
    expect(report.checks.every(({ outcome }) => outcome.kind === "passed")).toBe(true);
  });

  needing("python3-requests").it("judges Python's requests, right and wrong", async () => {
    const proxy = await startProxy();
    const script = `
import json, requests
api = "${proxy.apiUrl}"
auth = ("me@example.com", "sesame")
requests.get(api + "/messages", auth=auth, params={"anchor": "newest", "num_before": 5, "num_after": 0})
requests.delete(api + "/users/me/subscriptions", auth=auth, data={"subscriptions": json.dumps(["Verona"])})
requests.delete(api + "/users/me/subscriptions", auth=auth, data={"subscriptions": ["Verona", "Rome"]})
requests.get(api + "/messages", auth=auth, params={"anchor": "newest", "num_before": 5, "num_after": 0, "apply_markdown": False})
requests.patch(api + "/messages/31", auth=auth, json={"topic": "x"})
`;
    const { status } = await spawnAsync("/usr/bin/python3", ["-c", script]);
    const { checks } = await proxy.report();

    expect(status).toBe(0);
    expect(checks.filter(({ outcome }) => outcome.kind !== "passed").map(({ id }) => id)).toEqual([
      "client editMessage: request.media-type application/json",
      "client getMessages: request.type apply_markdown",
      "client unsubscribe: request.repeated subscriptions",
      "client unsubscribe: request.type subscriptions",
    ]);
  });
});

/** Runs a program without blocking this process, which serves it. */
async function spawnAsync(command: string, args: readonly string[]) {
  const { spawn } = await import("node:child_process");
  return new Promise<{ status: number | null; error: Error | undefined }>((resolve) => {
    const child = spawn(command, args, { stdio: "ignore" });
    child.once("error", (error) => resolve({ status: null, error }));
    child.once("close", (status) => resolve({ status, error: undefined }));
  });
}

describe("proxyChat, in front of a hostile server", () => {
  it.each([false, true])("reports a server that sends status 000, if strain is %s, and goes on", async (strained) => {
    let isHostile = true;
    const url = await startRawServer(() =>
      isHostile
        ? "HTTP/1.1 000 X\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n"
        : 'HTTP/1.1 400 Bad\r\nContent-Type: application/json\r\n\r\n{"result":"error","msg":"No","code":"BAD_REQUEST"}',
    );
    const proxy = await startProxy({
      url: `${url}/api/v1`,
      level: 415,
      ...(strained ? { strain: { seed: 1, slowMs: 1 } } : {}),
    });
    const call = async () => (await fetch(`${proxy.apiUrl}/server_settings`)).status;
    const first = [await call(), await call(), await call()];
    isHostile = false;
    const later = [await call(), await call(), await call()];
    const { checks } = await proxy.report();

    expect(first).toContain(502);
    expect(later).toContain(400);
    expect(
      checks.find(({ id }) => id === "server getServerSettings: response.contract not HTTP")?.outcome,
    ).toMatchObject({
      kind: "failed",
      problems: ["the response is not HTTP: the server sent status 000, which no final response has"],
    });
  });
});
