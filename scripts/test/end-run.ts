import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";

/** How long processes may take to end after SIGTERM, in milliseconds. */
const graceMs = 3_000;

/** Ends all processes of this test run, with this one, at a signal and when npm, which started it, has ended. */
export function endWithSignals(): void {
  const mark = markDescendants("ACCORD_TEST_RUN");
  const end = (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => {
    endDescendants(mark);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => process.ppid !== parent && end("SIGTERM"), 500).unref();
}

/**
 * Sets a variable in the environment that all processes inherit that this one will start, also those that it does not wait for. Returns it,
 * for `endDescendants`.
 */
export function markDescendants(variable: string): string {
  const value = randomUUID();
  process.env[variable] = value;
  return `${variable}=${value}`;
}

/** Ends the processes that this one and its descendants have started, by SIGKILL if they ignore SIGTERM. Blocks meanwhile. */
export function endDescendants(mark: string): void {
  for (let waited = 0; waited <= 2 * graceMs; waited += 100) {
    const running = descendants(mark);
    if (running.length === 0) return;
    const signal = waited === 0 ? "SIGTERM" : waited >= graceMs ? "SIGKILL" : 0;
    for (const pid of running) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
}

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly environment: string;
}

function descendants(mark: string): number[] {
  const all = runningProcesses();
  const found = new Set([process.pid]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { pid, parent, environment } of all) {
      if (found.has(parent) || environment.includes(mark)) found.add(pid);
    }
  }
  found.delete(process.pid);
  return [...found];
}

/** Lists the processes of this machine; without their environments if it is not Linux. */
function runningProcesses(): RunningProcess[] {
  if (process.platform !== "linux") {
    const { stdout = "" } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
    return [...stdout.matchAll(/^ *(\d+) +(\d+)/gm)].map(([, pid, parent]) => {
      return { pid: Number(pid), parent: Number(parent), environment: "" };
    });
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const read = (file: string) => {
        try {
          return readFileSync(`/proc/${name}/${file}`, "utf8");
        } catch {
          return "";
        }
      };
      const [, state, parent] = /\) (\S) (\d+)[^)]*$/.exec(read("stat")) ?? [];
      if (state === undefined || state === "Z") return [];
      return [{ pid: Number(name), parent: Number(parent), environment: read("environ") }];
    });
}
