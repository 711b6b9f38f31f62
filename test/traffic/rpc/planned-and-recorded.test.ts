import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer as createHttp2Server } from "node:http2";
import { join } from "node:path";
import { Code } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDaemonClient, type DaemonProtocol } from "../../../src/daemon/index.js";
import { checkDaemonHar, type ProxyDaemonOptions, proxyDaemon } from "../../../src/daemon/traffic.js";
import { exitCode } from "../../../src/report/model/to-json-report.js";
import { listenOn } from "../../support/listen-on.js";
import { protocols, useReference } from "./start-proxy.js";

const secret = "k7Qm2xV9aLw3";

const reference = useReference();

/** Starts a proxy and a client of it for the rest of the test. */
async function startProxy(address: string, protocol: DaemonProtocol, options: Partial<ProxyDaemonOptions> = {}) {
  const proxy = await proxyDaemon({ ...options, address });
  // A test may have closed it.
  onTestFinished(() => proxy.close().catch(() => {}));
  const url = proxy.addresses[0] ?? "";
  const client = createDaemonClient({ address: url, protocol });
  onTestFinished(client.close);
  return { ...client, ...proxy, url };
}

async function planNext(url: string, name: unknown) {
  const response = await fetch(`${url}/accord/next`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ case: name }),
  });
  return { status: response.status, body: (await response.json()) as { readonly message?: string } };
}

describe("POST /accord/next in front of a daemon", () => {
  it.each(protocols)(
    "answers the next call to the RPC over %s with a case, and lets the daemon answer the one after it",
    async (protocol) => {
      const { url, proxySubscriptions, report } = await startProxy(reference.address, protocol);
      expect(await planNext(url, "PreviewImport/preview-page-instead-of-list")).toMatchObject({ status: 400 });
      expect(await planNext(url, "SelectNode/select-unknown-network")).toEqual({ status: 200, body: {} });

      const { id } = await proxySubscriptions.applyImport({
        url: `${reference.subscription}?token=${secret}`,
        name: "Trey",
        selectedOrdinal: 1,
      });
      await expect(proxySubscriptions.selectNode({ id, selectedOrdinal: 1 })).rejects.toMatchObject({
        code: Code.NotFound,
      });
      expect(await proxySubscriptions.selectNode({ id, selectedOrdinal: 1 })).toMatchObject({ id, selectedOrdinal: 1 });
      const result = await report();
      expect(exitCode(result)).toBe(0);
      expect(result.coverage?.exchanges).toBe(3);
    },
  );

  it("keeps the names of the services that the client calls", async () => {
    const { url, report } = await startProxy(reference.address, "connect", { names: { package: "other.v2" } });
    await planNext(url, "SelectNode/select-unknown-network");
    const response = await fetch(`${url}/other.v2.ProxySubscriptions/SelectNode`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"id":4711,"selectedOrdinal":1}',
    });

    expect(await response.json()).toMatchObject({ code: "not_found" });
    const [rpcs] = (await report()).coverage?.sections ?? [];
    expect(rpcs?.items).toContainEqual({ name: "ProxySubscriptions/SelectNode", count: 1 });
  });

  it("lists the cases of the RPC if the name is wrong", async () => {
    const { url } = await startProxy(reference.address, "connect");
    expect((await planNext(url, "SelectNode/none")).body.message).toMatch(
      /^SelectNode has no case of this name\. Its cases: .*select-unknown-network/,
    );
    expect((await planNext(url, "Select/none")).body.message).toContain("write it as <method>/<case>");
    expect((await planNext(url, 7)).body.message).toBe('Send an object such as {"case": "<operation>/<case>"}');
  });
});

describe("a recording of the daemon's traffic", () => {
  it.each(protocols)(
    "holds the calls of %s as JSON without secrets, and is checked like the traffic",
    async (protocol) => {
      const harFile = join(reference.folder, `${protocol}.har`);
      const proxy = await startProxy(reference.address, protocol, { harFile });
      const { id } = await proxy.proxySubscriptions.applyImport({
        url: `${reference.subscription}?token=${secret}`,
        name: "Trey",
        selectedOrdinal: 1,
      });
      await expect(proxy.proxySubscriptions.selectNode({ id: 4711, selectedOrdinal: 1 })).rejects.toThrow();
      await proxy.close();
      const text = await readFile(harFile, "utf8");
      const { log } = JSON.parse(text);

      expect((await stat(harFile)).mode & 0o777).toBe(0o600);
      expect(text).not.toContain(secret);
      expect(log.entries).toHaveLength(2);
      const [apply, select] = log.entries;
      expect(JSON.parse(apply.request.postData.text)).toMatchObject({ name: "Trey", selectedOrdinal: 1 });
      expect(JSON.parse(apply.response.content.text)).toMatchObject({ id, selectedOrdinal: 1 });
      expect(select.response.status).toBe(404);
      expect(JSON.parse(select.response.content.text)).toMatchObject({ code: "not_found" });
      const result = await checkDaemonHar({ file: harFile });
      expect(exitCode(result)).toBe(0);
      expect(result.coverage?.exchanges).toBe(2);
    },
  );

  it("says what to do if the recording does not name the daemon", async () => {
    const entry = (url: string) => ({
      startedDateTime: "2026-01-01T00:00:00Z",
      time: 1,
      request: { method: "POST", url, headers: [] },
      response: { status: 200, headers: [], content: { size: 0 } },
    });
    const path = "proxydaemon.v1.ProxySubscriptions/SelectNode";
    const check = async (urls: readonly string[], url?: string) => {
      const file = join(reference.folder, "open.har");
      await writeFile(file, JSON.stringify({ log: { entries: urls.map(entry) } }));
      return checkDaemonHar({ file, url });
    };

    await expect(check(["http://a.example/x"])).rejects.toThrow(/no call to an RPC of the contract.*--package/);
    await expect(check([`http://a.example/${path}`, `http://b.example/${path}`])).rejects.toThrow(
      /several servers.*--url/,
    );
    await expect(check([`http://a.example/${path}`], "none")).rejects.toThrow(/is not the URL of a server/);
    expect((await check([`http://a.example/${path}`, `http://b.example/${path}`], "http://b.example/")).target).toBe(
      "http://b.example",
    );
  });
});

describe("proxyDaemon", () => {
  it("ends a gRPC call if the daemon stays silent", async () => {
    const silent = createHttp2Server(() => {});
    onTestFinished(() => void silent.close());
    const address = `http://127.0.0.1:${await listenOn(silent)}`;
    const { proxySubscriptions } = await startProxy(address, "grpc", { limits: { maxSilenceMs: 200 } });

    await expect(proxySubscriptions.selectNode({ id: 1, selectedOrdinal: 1 })).rejects.toMatchObject({
      code: Code.Unavailable,
      message: expect.stringContaining("it sent nothing for 0.2 seconds"),
    });
  });
});
