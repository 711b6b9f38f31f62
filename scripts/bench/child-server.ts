import { type ChildProcess, execFileSync, spawn } from "node:child_process";

/** A server in a separate process. */
export interface ChildServer {
  /** Milliseconds from the start of the process to its first response. */
  readonly startMilliseconds: number;
  /** The resident memory of the process in MiB. */
  readonly memory: () => number;
  readonly stop: () => Promise<void>;
}

/** Starts a Node program and waits until `url` responds. Rejects if the process exits first. */
export async function startChildServer(args: readonly string[], url: string): Promise<ChildServer> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<never>((_, reject) => {
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} exited with code ${code} before it responded`)));
  });
  await Promise.race([firstResponse(url), ended]);
  const startMilliseconds = performance.now() - start;
  return { startMilliseconds, memory: () => residentMemory(child.pid ?? 0), stop: () => stop(child) };
}

async function firstResponse(url: string): Promise<void> {
  for (;;) {
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

function residentMemory(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
