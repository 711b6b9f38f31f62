import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.js";

/** The built command line, because running from source slows down each call. */
export const accord = "dist/reference/cli/main.js";

/** A server in a process of its own. */
export interface BenchServer {
  readonly url: string;
  /** Its processor time so far in milliseconds. */
  readonly cpu: () => number;
  /** Its resident memory in MiB. */
  readonly memory: () => number;
}

/** A temporary folder, and a function that starts a Node program on a free port and waits until it responds. */
export interface Bench {
  readonly folder: string;
  readonly start: (args: (port: number) => readonly (string | number)[]) => Promise<BenchServer>;
}

/** Runs a measurement, and then stops its servers and removes its folder. */
export async function withServers<T>(measure: (bench: Bench) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "accord-bench-"));
  const children: ChildProcess[] = [];
  const start: Bench["start"] = async (args) => {
    const port = await freePort();
    const child = spawn(process.execPath, args(port).map(String), { stdio: ["ignore", "ignore", "inherit"] });
    children.push(child);
    const url = `http://127.0.0.1:${port}`;
    let isUp = false;
    while (!isUp) {
      isUp = await responds(url);
      if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(" ")} exited`);
    }
    const pid = child.pid ?? 0;
    const memory = () => Number(execFileSync("ps", ["-o", "rss=", "-p", `${pid}`], { encoding: "utf8" })) / 1024;
    return { url, cpu: () => processorMs(pid), memory };
  };
  try {
    return await measure({ folder, start });
  } finally {
    await Promise.all(children.map(stop));
    await rm(folder, { recursive: true });
  }
}

/**
 * The processor time of a process, or of the processes that it started and that have ended, in milliseconds. NaN without `/proc`.
 * Source: Linux, proc_pid_stat(5); there are 100 ticks in a second.
 */
export function processorMs(pid: number | "self", whose: "own" | "children" = "own"): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    const [user, system] = fields.slice(whose === "own" ? 11 : 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return Number.NaN;
  }
}

async function responds(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}
