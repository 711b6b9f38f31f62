import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { createMask } from "../../mask.js";

/** A script to run in a separate Node process. */
export interface ToolRun {
  readonly script: string;
  readonly args: readonly string[];
  /** A temporary folder: the working directory of the process, and the place of its output file. */
  readonly folder: string;
  /** The name of the output file; unique in the folder. */
  readonly output: string;
  /** Modules to load before the script. */
  readonly imports?: readonly string[];
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The process ends above this memory, because Dredd and `respect` hold responses of any size. Defaults to 1,024. */
  readonly maxMemoryMib?: number;
  /** Kills the process when aborted. */
  readonly signal: AbortSignal;
  /** Called with each message that the script sends with `process.send`. */
  readonly onMessage?: (message: unknown) => void;
}

/** A running tool. */
export interface RunningTool {
  /** Resolves once the process has ended and all its messages have arrived. Never rejects. */
  readonly ended: Promise<ToolEnd>;
  /** Kills the process. */
  readonly kill: () => void;
  /** The file with the output of the process. */
  readonly outputFile: string;
}

/** How a tool ended, as a phrase: `exit code 1`. */
export type ToolEnd = string;

/** The exit code of a process that exceeded its memory. */
const outOfMemoryCode = 77;

/**
 * Starts a tool. Its output goes to a file, because Dredd exits without flushing a pipe. The tool does not outlive this process: it is
 * killed when this process exits, and if this process is killed, it removes the folder and ends itself.
 */
export function runTool(run: ToolRun): RunningTool {
  const { script, args, folder, output, imports = [], env, maxMemoryMib = 1024, signal, onMessage } = run;
  const outputFile = join(folder, output);
  const file = openSync(outputFile, "w");
  const preload = [endWithParent(folder), limitMemory(maxMemoryMib), ...imports].flatMap((module) => [
    "--import",
    module,
  ]);
  const child = spawn(process.execPath, [...preload, script, ...args], {
    cwd: folder,
    env: { ...withoutProxies(process.env), NO_COLOR: "1", FORCE_COLOR: undefined, ...env },
    stdio: ["ignore", file, file, "ipc"],
    serialization: "json",
  });
  closeSync(file);
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  if (onMessage !== undefined) child.on("message", onMessage);
  const exited = new Promise<ToolEnd>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, by) => {
      if (code === outOfMemoryCode)
        resolve(`more than ${maxMemoryMib} MiB of memory, probably because of an endless answer`);
      else resolve(by === null ? `exit code ${code}` : `signal ${by}`);
    });
  });
  // Messages may still arrive after the process has ended.
  const disconnected = new Promise<void>((resolve) => {
    if (child.connected) child.once("disconnect", resolve);
    else resolve();
  });
  const ended = Promise.all([exited, disconnected]).then(([end]) => {
    process.off("exit", kill);
    signal.removeEventListener("abort", kill);
    return end;
  });
  return { ended, kill, outputFile };
}

/** Drops `HTTP_PROXY` and the like: tools obey them even for loopback addresses, but this process reaches the server without a proxy. */
function withoutProxies(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/_proxy$/i.test(name)));
}

/** A module, as a URL, that exits its process above this memory. */
function limitMemory(mebibytes: number): string {
  const code = `setInterval(() => {
  if (process.memoryUsage.rss() > ${mebibytes * 1024 * 1024}) process.exit(${outOfMemoryCode});
}, 100).unref();`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** A module, as a URL, that removes the folder and kills its process once the parent process is gone. */
function endWithParent(folder: string): string {
  const code = `import { rmSync } from "node:fs";
const end = () => {
  rmSync(${JSON.stringify(folder)}, { recursive: true, force: true });
  process.kill(process.pid, "SIGKILL");
};
if (process.connected) process.once("disconnect", end);
else end();
process.channel?.unref();`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** Returns the last lines of a tool's output, masked. */
export function lastLines(output: string): string {
  return createMask([])(output.trim().split("\n").slice(-8).join("\n").slice(-1000)) || "nothing";
}

/** How long a tool may take to start its first check, in milliseconds: it reads the contract. */
export const maxStartMs = 120_000;

/** How much longer than allowed one check may take before the tool is killed, in milliseconds. */
export const graceMs = 10_000;

/** Detects a lack of progress. */
export interface Watchdog {
  /** Records progress; the next progress is due within `timeoutMs`. */
  readonly restart: (timeoutMs: number) => void;
  readonly stop: () => void;
  readonly hasExpired: boolean;
}

/** Creates a watchdog that calls `onExpired` after `timeoutMs` milliseconds without progress. */
export function createWatchdog(timeoutMs: number, onExpired: () => void): Watchdog {
  let hasExpired = false;
  let isStopped = false;
  const start = (ms: number) =>
    setTimeout(() => {
      hasExpired = true;
      onExpired();
    }, ms);
  let timer = start(timeoutMs);
  return {
    restart: (ms) => {
      // A check for progress may finish only after the watchdog was stopped.
      if (isStopped) return;
      clearTimeout(timer);
      timer = start(ms);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
    get hasExpired() {
      return hasExpired;
    },
  };
}

/** Describes how a watched tool ended, as a phrase. `end` is the end of its process. */
export function describeEnd({ hasExpired }: Watchdog, end: string): string {
  return hasExpired ? "it took too long and was killed" : `it ended with ${end}`;
}
