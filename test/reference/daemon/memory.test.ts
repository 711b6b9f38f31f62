import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../src/base/listen.js";
import { createDaemonClient } from "../../../src/daemon/index.js";

const calls = Number(process.env.ACCORD_REPEAT ?? 100);
const mib = 1024 * 1024;

interface Memory {
  readonly rss: number;
  readonly peak: number;
}

async function memoryOf(daemon: ChildProcess): Promise<Memory> {
  daemon.send("memory");
  const [memory] = await once(daemon, "message");
  return memory;
}

/** Serves a compressed body and counts the requests. */
async function serveCompressed(body: Buffer): Promise<string> {
  const compressed = gzipSync(body);
  const host = await listen(
    createServer((_, response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end(compressed)),
  );
  onTestFinished(host.close);
  return host.url;
}

describe("a daemon", () => {
  it("holds a fraction of concurrent previews of gzip bombs", async () => {
    const daemon = fork(fileURLToPath(new URL("watched-daemon.ts", import.meta.url)), {
      execArgv: ["--import", "tsx"],
    });
    onTestFinished(() => void daemon.kill("SIGKILL"));
    const [{ address }] = await once(daemon, "message");
    const { proxySubscriptions, close } = createDaemonClient({ address });
    onTestFinished(close);
    const small = await serveCompressed(Buffer.from("trojan://secret@fra1.northwind.example:443#fra1\n"));
    const bomb = await serveCompressed(Buffer.alloc(16 * mib, `${"#".repeat(255)}\n`));
    await proxySubscriptions.previewImport({ url: small });

    const { rss } = await memoryOf(daemon);
    const codes = await Promise.all(
      Array.from({ length: calls }, () =>
        proxySubscriptions.previewImport({ url: bomb }).then(
          () => "empty",
          (error) => Code[ConnectError.from(error).code],
        ),
      ),
    );
    const { peak } = await memoryOf(daemon);
    console.info(`${calls} previews: peak of ${Math.round((peak - rss) / mib)} MiB above the start`);
    expect(new Set(codes)).toEqual(new Set(["empty"]));
    expect(peak - rss).toBeLessThan((calls * 16 * mib) / 3);
    expect(await proxySubscriptions.previewImport({ url: small })).toMatchObject({ compatibleCount: 1 });
  });
});
