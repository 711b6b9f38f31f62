import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { withoutProgress } from "./without-progress.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The result of a run of the command line. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command line. */
export interface RunningAccord {
  readonly child: ChildProcess;
  /** Waits for a match in the output. Rejects if the process ends without one. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly finished: Promise<Finished>;
}

/** Starts `accord`, as built, in a child process, which ends with the test. */
export function startAccord(...args: string[]): RunningAccord {
  return startAccordIn(root, ...args);
}

/** Like `startAccord`, in another folder than the root of the project. */
export function startAccordIn(folder: string, ...args: string[]): RunningAccord {
  const child = spawn(process.execPath, [join(root, "dist/reference/cli/main.js"), ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr: withoutProgress(stderr) }));
  });
  const printed = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(stdout);
        if (match !== null) resolve(match);
      };
      child.stdout.on("data", look);
      look();
      finished.then((end) => reject(new Error(`ended before printing ${pattern}: ${JSON.stringify(end)}`)));
    });
  return { child, printed, finished };
}

/** Runs `accord` to its end. */
export function runAccord(...args: string[]): Promise<Finished> {
  return startAccord(...args).finished;
}

/** Runs `accord` to its end in another folder than the root of the project. */
export function runAccordIn(folder: string, ...args: string[]): Promise<Finished> {
  return startAccordIn(folder, ...args).finished;
}
