import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, onTestFinished } from "vitest";
import { createDaemonReference } from "../../../reference/daemon/create-daemon-reference.js";
import { createDaemonClient, type DaemonProtocol } from "../../../src/daemon/index.js";
import { type ProxyDaemonOptions, proxyDaemon } from "../../../src/daemon/traffic.js";
import type { VerifyReport } from "../../../src/report/model/verify-report.js";
import { listenOn } from "../../support/listen-on.js";

export const protocols: readonly DaemonProtocol[] = ["grpc", "grpc-web", "connect"];
export const select = "ProxySubscriptions/SelectNode";
export const path = "/proxydaemon.v1.ProxySubscriptions/SelectNode";

/** A reference daemon on a socket in a temporary folder, and a subscription that it can fetch. */
export interface ReferenceDaemon {
  folder: string;
  address: string;
  /** The URL of a list with one link. Ignores the query. */
  subscription: string;
}

/** Starts a reference daemon for the tests of a file. The fields are set when the tests run. */
export function useReference(): ReferenceDaemon {
  const reference = { folder: "", address: "", subscription: "" };
  beforeAll(async () => {
    reference.folder = await mkdtemp(join(tmpdir(), "accord-proxy-"));
    const socket = join(reference.folder, "daemon.sock");
    const daemon = await createDaemonReference({ socket, allowPrivate: true });
    reference.address = `unix:${socket}`;
    const host = createServer((_, response) => void response.end("trojan://Yc2sV9eA@zrh.trey.example:443#Zurich\n"));
    reference.subscription = `http://127.0.0.1:${await listenOn(host)}/list`;
    return async () => {
      host.close();
      await daemon.close();
      await rm(reference.folder, { recursive: true });
    };
  });
  return reference;
}

/** Starts a proxy for the rest of the test. */
export async function startProxy(address: string, options: Partial<ProxyDaemonOptions> = {}) {
  const proxy = await proxyDaemon({ ...options, address });
  onTestFinished(proxy.close);
  return { ...proxy, url: proxy.addresses[0] ?? "" };
}

export function clientOf(address: string, protocol: DaemonProtocol) {
  const client = createDaemonClient({ address, protocol });
  onTestFinished(client.close);
  return client;
}

/** The first problem of each finding of a report, by id. */
export function findingsOf({ checks }: VerifyReport): Record<string, string> {
  return Object.fromEntries(
    checks.flatMap(({ id, outcome }) =>
      outcome.kind === "failed" || outcome.kind === "deviated" ? [[id, outcome.problems[0] ?? ""]] : [],
    ),
  );
}

/** Sends a request over HTTP/1.1, and discards the response. */
export async function post(url: string, body: string | Buffer, headers: Record<string, string>, target = path) {
  const response = await fetch(`${url}${target}`, { method: "POST", body: Buffer.from(body), headers });
  await response.arrayBuffer();
  return response.status;
}

export function framed(message: Uint8Array, flags = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flags;
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
