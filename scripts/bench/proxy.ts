import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { loadCases } from "../../src/contract/chat/cases.js";
import { type ChildServer, startChildServer } from "./child-server.js";
import { freePort } from "./free-port.js";
import { median } from "./measure.js";

const rounds = 5;
const accord = "dist/reference/cli/main.js";

interface Load {
  readonly perSecond: number;
  /** The 99th percentile of the latency in milliseconds. */
  readonly p99: number;
}

/** `accord proxy` compared with a bare `node:http` proxy, both in front of the same bare server. */
export async function benchProxy(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "accord-bench-"));
  const servers: ChildServer[] = [];
  try {
    const ports = { server: await freePort(), bare: await freePort(), ours: await freePort() };
    const start = async (port: number, ...args: readonly string[]) => {
      const server = await startChildServer(
        [...(args[0] === accord ? [] : ["--import", "tsx"]), ...args],
        `http://127.0.0.1:${port}/api/v1/server_settings`,
      );
      servers.push(server);
      return server;
    };
    const rows: string[] = [];
    for (const { title, body, load, command } of await loads(ports.server)) {
      const answer = join(folder, "answer.json");
      writeFileSync(answer, JSON.stringify(body));
      await start(ports.server, "scripts/bench/bare-server.ts", String(ports.server), answer);
      await start(ports.bare, "scripts/bench/bare-proxy.ts", String(ports.bare), String(ports.server));
      // The built package, because running from source slows down each call.
      const ours = await start(ports.ours, accord, "proxy", ...command, "--quiet", "--port", String(ports.ours));
      await measure(ports.ours, load);
      await finish(ports.ours);
      await measure(ports.bare, load);
      const pairs: { ours: Load; bare: Load; backlog: number }[] = [];
      for (let round = 0; round < rounds; round++) {
        const measured = await measure(ports.ours, load);
        const backlog = await finish(ports.ours);
        pairs.push({ ours: measured, bare: await measure(ports.bare, load), backlog });
      }
      const of = (pick: (pair: (typeof pairs)[number]) => number) => median(pairs.map(pick));
      rows.push(
        `${title.padEnd(20)} ${of((pair) => pair.ours.perSecond).toFixed(0)} requests/s, bare proxy ` +
          `${of((pair) => pair.bare.perSecond).toFixed(0)}, ratio ${of((pair) => pair.ours.perSecond / pair.bare.perSecond).toFixed(2)}; ` +
          `p99 ${of((pair) => pair.ours.p99).toFixed(1)} ms, bare ${of((pair) => pair.bare.p99).toFixed(1)} ms; ` +
          `then judges for ${(of((pair) => pair.backlog) / 1000).toFixed(1)} s; memory ${ours.memory().toFixed(0)} MiB`,
      );
      for (const server of servers.splice(0)) await server.stop();
    }
    return rows;
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true });
  }
}

interface Request {
  readonly method: "GET" | "PATCH" | "POST";
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

/** A measurement: a request, the body of its response, and the proxy. */
interface Row {
  readonly title: string;
  readonly body: unknown;
  readonly load: Request;
  readonly command: readonly string[];
}

async function loads(port: number): Promise<Row[]> {
  const origin = `http://127.0.0.1:${port}`;
  const chat = ["chat", `${origin}/api/v1`, "--feature-level", "415"];
  const cases = await loadCases();
  const answerOf = (operation: string) =>
    cases.find((one) => one.operationId === operation && one.response.status === 200)?.response.body;
  return [
    {
      title: "GET messages",
      body: answerOf("getMessages"),
      load: { method: "GET", path: "/api/v1/messages?anchor=newest&num_before=20&num_after=0" },
      command: chat,
    },
    {
      title: "PATCH message",
      body: answerOf("editMessage"),
      load: {
        method: "PATCH",
        path: "/api/v1/messages/31",
        type: "application/x-www-form-urlencoded",
        body: "content=hello",
      },
      command: chat,
    },
    {
      title: "SelectNode (Connect)",
      body: { id: 7, selectedOrdinal: 2 },
      load: {
        method: "POST",
        path: "/proxydaemon.v1.ProxySubscriptions/SelectNode",
        type: "application/json",
        body: '{"id":7,"selectedOrdinal":2}',
      },
      command: ["daemon", origin],
    },
  ];
}

/** Waits until the proxy has judged everything, so that this does not slow down its peer. */
async function finish(port: number): Promise<number> {
  const start = performance.now();
  await (await fetch(`http://127.0.0.1:${port}/accord/report`)).arrayBuffer();
  return performance.now() - start;
}

async function measure(port: number, { method, path, type, body }: Request): Promise<Load> {
  const { requests, latency, non2xx, errors } = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    method,
    connections: 4,
    duration: 2,
    headers: {
      Authorization: `Basic ${btoa("me@example.com:key")}`,
      ...(type === undefined ? {} : { "Content-Type": type }),
    },
    ...(body === undefined ? {} : { body }),
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} responses without success, ${errors} errors`);
  return { perSecond: requests.average, p99: latency.p99 };
}
