import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";

/** How long processes may take to end after SIGTERM, in milliseconds. */
const graceMs = 3_000;
const pauseMs = 100;

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
 * Adds an id to a variable in the environment that all processes inherit that this one will start, also those that outlive it. Returns the
 * id, for `endDescendants`.
 */
export function markDescendants(variable: string): string {
  const id = randomUUID();
  process.env[variable] = `${process.env[variable] ?? ""} ${id}`;
  return id;
}

/** Ends the processes that this one and its descendants have started, by SIGKILL if they ignore SIGTERM. Blocks meanwhile. */
export function endDescendants(mark: string): void {
  const seen = new Set([process.pid]);
  // A process that is just starting may escape a look.
  for (let waited = 0, quiet = 0; quiet < 5 && waited < 10 * graceMs; waited += pauseMs) {
    const running = descendants(mark, seen);
    for (const pid of running) {
      if (!seen.has(pid)) send(pid, "SIGTERM");
      else if (waited >= graceMs) send(pid, "SIGKILL");
      seen.add(pid);
    }
    quiet = running.length === 0 ? quiet + 1 : 0;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly environment: string;
}

/** The running processes that have the mark, that were seen before, or whose parents are among these. */
function descendants(mark: string, seen: ReadonlySet<number>): number[] {
  const all = runningProcesses();
  const found = new Set(seen);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { pid, parent, environment } of all) {
      if (found.has(parent) || environment.includes(mark)) found.add(pid);
    }
  }
  return all.map(({ pid }) => pid).filter((pid) => pid !== process.pid && found.has(pid));
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
