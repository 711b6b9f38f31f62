import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCases } from "../../src/chat/contract.js";
import { compareLoads, load } from "./load.js";
import { accord, type Bench, withServers } from "./servers.js";

/** The measured calls; the server returns the response of the first successful case of the operation. */
const calls = [
  {
    operation: "getMessages",
    request: { method: "GET", path: "/api/v1/messages?anchor=newest&num_before=20&num_after=0" },
  },
  { operation: "editMessage", request: { method: "PATCH", path: "/api/v1/messages/31", body: "content=hello" } },
] as const;

/** `accord proxy` compared with a bare `node:http` proxy, both in front of the same bare server. */
export async function benchProxy(): Promise<string[]> {
  const cases = await loadCases();
  const rows: string[] = [];
  for (const { operation, request } of calls) {
    const body = cases.find((one) => one.operationId === operation && one.response.status === 200)?.response.body;
    rows.push(...(await withServers((bench) => compareProxies(bench, body, request))));
  }
  return rows;
}

async function compareProxies({ folder, start }: Bench, body: unknown, request: (typeof calls)[number]["request"]) {
  const file = join(folder, "response.json");
  writeFileSync(file, JSON.stringify(body));
  const server = await start((port) => ["--import", "tsx", "scripts/bench/bare-server.ts", port, file]);
  const { port: target } = new URL(server.url);
  const bare = await start((port) => ["--import", "tsx", "scripts/bench/bare-proxy.ts", port, target]);
  const api = `${server.url}/api/v1`;
  const ours = await start((port) => [accord, "proxy", "chat", api, "--feature-level", 415, "--quiet", "--port", port]);
  const measure = (url: string) => load(url, `Basic ${btoa("me@example.com:key")}`, () => request, 4);
  const measureOurs = async () => {
    const measured = await measure(ours.url);
    // The report waits until the proxy has judged everything, so that this does not slow down its peer.
    await (await fetch(`${ours.url}/accord/report`)).arrayBuffer();
    return measured;
  };
  return compareLoads(`${request.method} message`, [
    { name: "accord proxy", run: measureOurs },
    { name: "bare proxy", run: () => measure(bare.url) },
  ]);
}
