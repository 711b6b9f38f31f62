import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { accord, type BenchServer, processorMs, withServers } from "./servers.js";

const shards = 4;

/** A run of `accord verify`; times are in milliseconds. */
interface Run {
  readonly title: string;
  readonly wall: number;
  readonly verifier: number;
  readonly server: number;
  readonly checks: number;
  /** How long the run waited for time limits of the daemon. */
  readonly waited: number;
}

/** The cost of `accord verify` compared with the processor time that the verified reference server spends in the same run. */
export function benchVerify(): Promise<string[]> {
  return withServers(async ({ folder, start }) => {
    const chat = await start((port) => [accord, "serve", "chat", "--states", "--port", port, "--log-level", "error"]);
    const socket = join(folder, "daemon.sock");
    const daemon = await start((port) => [
      ...[accord, "serve", "daemon", "--socket", socket, "--port", port, "--allow-private", "--log-level", "error"],
    ]);
    const report = join(folder, "report.json");
    const ofChat = (title: string, file: string, ...options: readonly string[]) =>
      verify(title, chat, join(folder, file), [
        ...["chat", `${chat.url}/api/v1`, "--states", `${chat.url}/states`, "--seed", "1", "--strict", ...options],
      ]);
    const whole = await ofChat("verify chat --strict", "report.json");
    const parts: Run[] = [];
    for (let index = 1; index <= shards; index++) {
      const options = ["--shard", `${index}/${shards}`, "--timings", report];
      parts.push(await ofChat(`slowest of ${shards} shards`, "shard.json", ...options));
    }
    const slowest = parts.reduce((slow, one) => (one.wall > slow.wall ? one : slow));
    const single = await ofChat("--only one case", "one.json", "--only", "case unsubscribe/unknown_channel");
    const ofDaemon = await verify("verify daemon", daemon, join(folder, "daemon.json"), [
      ...["daemon", `unix:${socket}`, "--disposable"],
    ]);
    return [
      `${row(whole)}; wall/server ${(whole.wall / whole.server).toFixed(2)}, verifier/server ${(whole.verifier / whole.server).toFixed(2)}`,
      `${row(slowest)}; shard/whole ${(slowest.wall / whole.wall).toFixed(2)}`,
      row(single),
      `${row(ofDaemon)}; waited ${seconds(ofDaemon.waited)} for time limits`,
    ];
  });
}

async function verify(title: string, server: BenchServer, report: string, args: readonly string[]): Promise<Run> {
  const before = { time: performance.now(), verifier: processorMs("self", "children"), server: server.cpu() };
  const child = spawn(process.execPath, [accord, "verify", ...args, "--quiet", "--json", report], { stdio: "ignore" });
  await once(child, "exit");
  const wall = performance.now() - before.time;
  const { checks, waitedMs = 0 }: { checks: readonly unknown[]; waitedMs?: number } = JSON.parse(
    await readFile(report, "utf8"),
  );
  return {
    title,
    wall,
    verifier: processorMs("self", "children") - before.verifier,
    server: server.cpu() - before.server,
    checks: checks.length,
    waited: waitedMs,
  };
}

function row({ title, wall, verifier, server, checks }: Run): string {
  const processor = `processor time: verifier ${seconds(verifier)}, server ${seconds(server)}`;
  return `${title.padEnd(22)} ${`${checks}`.padStart(5)} checks in ${seconds(wall)}; ${processor}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
