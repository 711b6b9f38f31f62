import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import {
  createDaemonClient,
  ProxySubscriptionSelectRequestSchema,
  ProxySubscriptionSelectResponseSchema,
} from "../../src/daemon/index.js";
import { listen } from "../../src/listen.js";
import { compiledScript } from "./compiled-script.js";
import { compare } from "./measure.js";
import { type SubscriptionKind, subscriptionBody } from "./subscription-body.js";

const rounds = 5;
const roundMs = 3_000;
const warmUpMs = 1_500;

interface Child {
  readonly address: string;
  readonly usage: () => Promise<{ readonly cpuMs: number; readonly maxStallMs: number; readonly peakMiB: number }>;
  readonly stop: () => Promise<unknown>;
}

/** SelectNode compared with a bare gRPC server, and previews of growing subscriptions. */
export async function benchDaemon(): Promise<string[]> {
  return [...(await benchSelectNode()), ...(await benchPreviews())];
}

async function benchSelectNode(): Promise<string[]> {
  const host = await listen(createServer((_, response) => response.end(subscriptionBody("trojan links", 1000))));
  const [daemon, bare] = [await startChild("watched-daemon.ts"), await startChild("bare-grpc-server.ts")];
  try {
    const ours = createDaemonClient({ address: daemon.address });
    const { id } = await ours.proxySubscriptions.applyImport({ url: host.url, name: "bench" });
    ours.close();
    const rows: string[] = [];
    for (const atOnce of [16, 64]) {
      const [oursAtOnce, bareAtOnce] = [caller(daemon.address, id, atOnce), caller(bare.address, id, atOnce)];
      await oursAtOnce(warmUpMs);
      await bareAtOnce(warmUpMs);
      const result = await compare(
        rounds,
        () => oursAtOnce(roundMs),
        () => bareAtOnce(roundMs),
      );
      rows.push(
        `SelectNode over gRPC, ${atOnce} concurrent: ${Math.round(result.ours)} calls/s, each on disk before its reply; ` +
          `bare @grpc/grpc-js ${Math.round(result.peer)}; ${Math.round(result.ratio * 100)} % of it`,
      );
    }
    return rows;
  } finally {
    await Promise.all([daemon.stop(), bare.stop(), host.close()]);
  }
}

/** Calls SelectNode for the given number of milliseconds, each time with a different node; returns calls per second. */
function caller(address: string, id: number, atOnce: number): (milliseconds: number) => Promise<number> {
  let ordinal = 0;
  return async (milliseconds) => {
    const client = new Client(address.replace("http://", ""), credentials.createInsecure());
    const call = () =>
      new Promise<void>((resolve, reject) => {
        ordinal = (ordinal % 1000) + 1;
        client.makeUnaryRequest(
          "/proxydaemon.v1.ProxySubscriptions/SelectNode",
          (request) => Buffer.from(toBinary(ProxySubscriptionSelectRequestSchema, request)),
          (bytes) => fromBinary(ProxySubscriptionSelectResponseSchema, bytes),
          create(ProxySubscriptionSelectRequestSchema, { id, selectedOrdinal: ordinal }),
          (error) => (error === null ? resolve() : reject(error)),
        );
      });
    const start = performance.now();
    let calls = 0;
    const work = async () => {
      while (performance.now() < start + milliseconds) {
        await call();
        calls++;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    client.close();
    return (calls * 1000) / (performance.now() - start);
  };
}

const previews: readonly (readonly [SubscriptionKind, number])[] = [
  ["trojan links", 1_000],
  ["trojan links", 10_000],
  ["trojan links", 100_000],
  ["vless links in base64", 100_000],
  ["sing-box", 100_000],
  ["clash", 20_000],
];

async function benchPreviews(): Promise<string[]> {
  const rows: string[] = [];
  for (const [kind, count] of previews) {
    const body = subscriptionBody(kind, count);
    const warmUp = subscriptionBody(kind, 100);
    const host = await listen(createServer(({ url }, response) => response.end(url === "/warm-up" ? warmUp : body)));
    const daemon = await startChild("watched-daemon.ts");
    const client = createDaemonClient({ address: daemon.address });
    try {
      for (let call = 0; call < 20; call++)
        await client.proxySubscriptions.previewImport({ url: `${host.url}/warm-up` });
      await daemon.usage();
      const { compatibleCount } = await client.proxySubscriptions.previewImport({ url: host.url });
      if (compatibleCount !== count) throw new Error(`${kind}: ${compatibleCount} of ${count} nodes were read`);
      const { cpuMs, maxStallMs, peakMiB } = await daemon.usage();
      rows.push(
        `preview of ${count} nodes, ${kind}, ${(body.length / 1e6).toFixed(1)} MB: ${Math.round(cpuMs)} ms of CPU, ` +
          `${((cpuMs * 1000) / count).toFixed(1)} µs per node; max stall ${Math.round(maxStallMs)} ms; ` +
          `peak memory ${Math.round(peakMiB)} MiB`,
      );
    } finally {
      client.close();
      await Promise.all([daemon.stop(), host.close()]);
    }
  }
  return rows;
}

async function startChild(script: string): Promise<Child> {
  const child: ChildProcess = fork(compiledScript(script), {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [{ address }] = await once(child, "message");
  return {
    address,
    usage: async () => {
      child.send("usage");
      const [usage] = await once(child, "message");
      return usage;
    },
    stop: () => {
      child.kill("SIGTERM");
      return once(child, "exit");
    },
  };
}
