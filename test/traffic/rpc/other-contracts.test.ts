import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { RpcContract } from "../../../src/contract/rpc/contract.js";
import { loadRpcContract } from "../../../src/contract/rpc/load-rpc-contract.js";
import { exitCode } from "../../../src/report/model/to-json-report.js";
import { checkRpcHar } from "../../../src/traffic/rpc/check-rpc-har.js";
import { type ProxyRpcOptions, proxyRpc } from "../../../src/traffic/rpc/proxy-rpc.js";
import { callLibrary } from "../../contracts/library/client.js";
import type { LibraryFault } from "../../contracts/library/faults.js";
import { startLibrary } from "../../contracts/library/server.js";
import { findingsOf } from "./start-proxy.js";

let contract: RpcContract;
let folder = "";
beforeAll(async () => {
  contract = await loadRpcContract({
    name: "library",
    proto: fileURLToPath(new URL("../../contracts/library/proto", import.meta.url)),
  });
  folder = await mkdtemp(join(tmpdir(), "accord-library-"));
  return () => rm(folder, { recursive: true });
});

async function startProxy(fault?: LibraryFault, options: Partial<ProxyRpcOptions> = {}) {
  const server = await startLibrary(fault);
  onTestFinished(server.close);
  const proxy = await proxyRpc(contract, { ...options, address: server.url });
  onTestFinished(() => proxy.close().catch(() => {}));
  return { ...proxy, url: proxy.addresses[0] ?? "" };
}

const misspelt = {
  "client Catalogue/SearchBooks: call.field-name titles": "SearchBooksRequest has no field titles; did you mean title?",
};

describe("proxyRpc in front of the library", () => {
  it("finds the mistake of the client, and none of a server that keeps the contract", async () => {
    const { url, report } = await startProxy();
    await callLibrary(url);
    const result = await report();

    expect(findingsOf(result)).toMatchObject(misspelt);
    expect(Object.keys(findingsOf(result)).filter((id) => id.startsWith("server"))).toEqual([]);
    expect({ contract: result.contract, exchanges: result.coverage?.exchanges }).toEqual({
      ...{ contract: "library", exchanges: 4 },
    });
  });

  it("finds the mistake of the server, also from the recording", async () => {
    const harFile = join(folder, "library.har");
    const { url, report, close } = await startProxy("return-early", { harFile });
    await callLibrary(url);
    await close();
    const proxied = await report();
    const checked = await checkRpcHar(contract, { file: harFile });

    for (const result of [proxied, checked]) {
      expect(exitCode(result)).toBe(1);
      expect(findingsOf(result)).toMatchObject({
        "client Catalogue/SearchBooks: call.empty-field title": "title is empty in the only call",
        "server Loans/Return: return.never-early": expect.stringContaining("/late"),
      });
    }
    expect(JSON.parse(await readFile(harFile, "utf8")).log.entries).toHaveLength(4);
  });

  it("answers the next call with a case, which does not count against the server", async () => {
    const { url, report } = await startProxy("return-early");
    const plan = (name: string) =>
      fetch(`${url}/accord/next`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ case: name }),
      });
    expect((await plan("Return/empty-request")).status).toBe(400);
    expect((await plan("Return/return-late")).status).toBe(200);
    await callLibrary(url);

    expect(Object.keys(findingsOf(await report()))).not.toContain("server Loans/Return: return.never-early");
  });
});

it.each([
  [{ package: "a b" }, /name of a package/],
  [{ services: { Fines: "Penalties" } }, /has no service Fines/],
])("proxyRpc rejects the names %j", async (names, message) => {
  await expect(proxyRpc(contract, { address: "http://127.0.0.1:1", names })).rejects.toThrow(message);
});
