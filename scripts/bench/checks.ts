import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startChildServer } from "./child-server.js";
import { freePort } from "./free-port.js";
import { timed } from "./measure.js";
import { measureTree, type TreeUsage } from "./measure-tree.js";

const accord = "dist/reference/cli/main.js";
const shardCount = 4;
const cacheFile = "node_modules/.cache/accord/generated.json";

/**
 * How long users wait for the checks, compared with the goal for two processors, and the memory that a verification
 * needs. Requires `npm run build`. `npm test` prints its own duration.
 */
export async function benchChecks(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "accord-bench-"));
  const [chatPort, daemonPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${chatPort}`;
  const chat = await startChildServer(
    [accord, "serve", "chat", "--states", "--port", String(chatPort), "--log-level", "error"],
    `${url}/api/v1/server_settings`,
  );
  const socket = join(folder, "daemon.sock");
  const daemon = await startChildServer(
    [accord, "serve", "daemon", "--socket", socket, "--port", String(daemonPort), "--allow-private"],
    `http://127.0.0.1:${daemonPort}/`,
  );
  try {
    const verifyChat = (...options: readonly string[]) =>
      measureTree([accord, "verify", "chat", `${url}/api/v1`, "--states", `${url}/states`, "--seed", "1", ...options]);
    const report = join(folder, "report.json");
    const whole = await verifyChat("--strict", "--json", report);
    const shards: TreeUsage[] = [];
    for (let index = 1; index <= shardCount; index++)
      shards.push(await verifyChat("--strict", "--shard", `${index}/${shardCount}`, "--timings", report));
    const slowest = Math.max(...shards.map(({ milliseconds }) => milliseconds));
    const ofDaemon = await measureTree([accord, "verify", "daemon", `unix:${socket}`, "--jobs", "16"]);
    await runScript("lint");
    const remembered = await readFile(cacheFile, "utf8").catch(() => "[]");
    await writeFile(cacheFile, "[]");
    const generated = await runScript("generate");
    await writeFile(cacheFile, remembered);
    return [
      row("accord verify chat --strict", whole.milliseconds, 10),
      row(`the slowest of ${shardCount} shards`, slowest, 4),
      row("accord verify daemon, with the waits of cases", ofDaemon.milliseconds, 3),
      row("npm run lint -- --no-cache", await runScript("lint", "--no-cache"), 8),
      row("npm run lint again", await runScript("lint"), 8),
      row("npm run generate after a change", generated, 3),
      row("npm run generate again", await runScript("generate"), 1),
      memoryRow("memory of accord verify chat", whole, 400),
      memoryRow("memory of accord verify daemon", ofDaemon, 400),
    ];
  } finally {
    await Promise.all([chat.stop(), daemon.stop()]);
    await rm(folder, { recursive: true });
  }
}

async function runScript(name: string, ...options: readonly string[]): Promise<number> {
  const args = ["--import", "tsx", `scripts/${name}.ts`, ...options];
  return (await timed(() => promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 }))).milliseconds;
}

function row(title: string, milliseconds: number, goal: number): string {
  return `${title.padEnd(46)} ${(milliseconds / 1000).toFixed(1).padStart(6)} s    goal ${goal} s`;
}

function memoryRow(title: string, { maxMebibytes }: TreeUsage, goal: number): string {
  const measured =
    maxMebibytes === undefined ? "not measured" : `${maxMebibytes.toFixed(0).padStart(6)} MiB  goal ${goal} MiB`;
  return `${title.padEnd(46)} ${measured}`;
}
