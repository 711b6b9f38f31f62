import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";

/** A script that runs in a Node process of its own. */
export interface ToolRun {
  readonly script: string;
  readonly args: readonly string[];
  /** A temporary folder: where the process runs, and where it writes what it prints. */
  readonly folder: string;
  /** The name of the file for what it prints; unique in the folder. */
  readonly output: string;
  /** Modules that are loaded before the script. */
  readonly imports?: readonly string[];
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** It is ended when it takes more memory, because Dredd and `respect` hold answers of any size. Defaults to 1,024. */
  readonly mostMemoryMib?: number;
  /** Ends it at once when aborted. */
  readonly signal: AbortSignal;
  /** Is given what the script sends with `process.send`. */
  readonly onMessage?: (message: unknown) => void;
}

/** A tool that runs. */
export interface RunningTool {
  /** Resolves when it has ended and all its messages have come. Never rejects. */
  readonly ended: Promise<ToolEnd>;
  /** Ends it at once. */
  readonly kill: () => void;
  /** The file with what it prints. */
  readonly outputFile: string;
}

/** How a tool ended, in words: `exit code 1`. */
export type ToolEnd = string;

/** The exit code of a tool that was ended for its memory. */
const tooMuchMemory = 77;

/**
 * Starts a tool. Its output goes into a file, because Dredd ends without waiting for a pipe to be read. It does not outlive this
 * process: it is killed at its exit, and ends by itself, removing the folder, when this process is killed.
 */
export function runTool(run: ToolRun): RunningTool {
  const { script, args, folder, output, imports = [], env, mostMemoryMib = 1024, signal, onMessage } = run;
  const outputFile = join(folder, output);
  const file = openSync(outputFile, "w");
  const preload = [endWithParent(folder), limitMemory(mostMemoryMib), ...imports].flatMap((module) => [
    "--import",
    module,
  ]);
  const child = spawn(process.execPath, [...preload, script, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...env },
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
      if (code === tooMuchMemory) resolve(`more than ${mostMemoryMib} MiB of memory, which an endless answer takes`);
      else resolve(by === null ? `exit code ${code}` : `signal ${by}`);
    });
  });
  // Messages may still be on their way when the process has ended.
  const allCame = new Promise<void>((resolve) => {
    if (child.connected) child.once("disconnect", resolve);
    else resolve();
  });
  const ended = Promise.all([exited, allCame]).then(([end]) => {
    process.off("exit", kill);
    signal.removeEventListener("abort", kill);
    return end;
  });
  return { ended, kill, outputFile };
}

/** A module that ends the process in which it is loaded when that takes more memory. */
function limitMemory(mebibytes: number): string {
  const code = `setInterval(() => {
  if (process.memoryUsage.rss() > ${mebibytes * 1024 * 1024}) process.exit(${tooMuchMemory});
}, 100).unref();`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** A module that ends the process in which it is loaded as soon as the parent is gone, and removes the temporary folder. */
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
