import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createDaemonClient } from "../../src/daemon/index.js";
import { createDaemonMock } from "../../src/daemon/mock.js";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { startAccord } from "../support/run-accord.js";

let folder = "";
let daemon = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accord-proxy-daemon-"));
  const mock = await createDaemonMock({ socket: join(folder, "daemon.sock") });
  daemon = mock.addresses[0] ?? "";
  return async () => {
    await mock.close();
    await rm(folder, { recursive: true });
  };
});

async function startProxy(...options: readonly string[]) {
  const running = startAccord("proxy", "daemon", daemon, ...options);
  const [, address = ""] = await running.printed(/daemon proxy (\S+) before/);
  const stop = async () => {
    running.child.kill("SIGINT");
    return running.finished;
  };
  return { address, stop };
}

describe("accord proxy daemon", () => {
  it("passes a client without mistakes on a socket, and reports what it covered", async () => {
    const json = join(folder, "passed.json");
    const { address, stop } = await startProxy("--socket", join(folder, "proxy.sock"), "--json", json);
    const client = createDaemonClient({ address });
    onTestFinished(client.close);
    const reply = await client.proxySubscriptions.selectNode({ id: 7, selectedOrdinal: 2 });
    client.close();
    const { code, stdout } = await stop();
    const { coverage, contract }: JsonReport = JSON.parse(await readFile(json, "utf8"));

    expect(reply).toMatchObject({ id: 7, selectedOrdinal: 2 });
    expect(stdout).toMatch(/PASS {2}\d+ rules kept, none broken/);
    expect(code).toBe(0);
    expect({ contract, exchanges: coverage?.exchanges }).toEqual({ contract: "daemon", exchanges: 1 });
  });

  it("names mistakes live and in every report, accepts known ones, and masks URLs", async () => {
    const [json = "", junit = "", html = ""] = ["json", "junit", "html"].map((kind) => join(folder, `failed.${kind}`));
    const known = join(folder, "known.yaml");
    const rpc = "ProxySubscriptions/PreviewImport";
    await writeFile(known, `- {name: 'client ${rpc}: call.timeout connect-timeout-ms', reason: Fixed next week.}\n`);
    const reports = ["--json", json, "--junit", junit, "--html", html];
    const { address, stop } = await startProxy("--port", "0", "--known-failing", known, ...reports);
    const body = '{"url":"https://hamlet:sesame-0123@host.example/?token=sesame-4567","urls":""}';
    const headers = { "content-type": "application/json", "connect-timeout-ms": "5s" };
    await (await fetch(`${address}/proxydaemon.v1.${rpc}`, { method: "POST", headers, body })).text();
    const { code, stdout, stderr } = await stop();
    const name = `client ${rpc}: call.field-name urls`;

    expect(code).toBe(1);
    expect(stderr.match(/^broken .*$/gm)).toEqual([
      `broken    client ${rpc}: ProxySubscriptionImportRequest has no field urls; did you mean url?`,
    ]);
    expect(stdout).toMatch(/KNOWN TO FAIL {2}1 check/);
    for (const file of [json, junit, html]) expect(await readFile(file, "utf8")).toContain(name);
    for (const text of [
      stdout,
      stderr,
      ...(await Promise.all([json, junit, html].map((file) => readFile(file, "utf8")))),
    ])
      expect(text).not.toMatch(/sesame|c2VzYW1l/);
  });

  it("says why it cannot start", async () => {
    const { code, stderr } = await startAccord("proxy", "daemon", `unix:${folder}/none.sock`).finished;

    expect(code).toBe(2);
    expect(stderr).toContain("The server cannot be reached");
  });
});
