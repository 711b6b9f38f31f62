import { spawn } from "node:child_process";
import { once } from "node:events";

/** A program to start. */
export interface Program {
  /** A line of shell. */
  readonly command: string;
  readonly shell?: "bash";
  readonly folder: string;
  /** A pattern of the output that says that it is ready; the first group is the result. */
  readonly ready: RegExp;
  /** How to install what it needs, for the error if it does not start. */
  readonly install: string;
}

/** A running program. */
export interface RunningProgram {
  /** The first group of `ready`. */
  readonly address: string;
  /** Kills it. */
  readonly stop: () => Promise<void>;
  /** Asks it to end (SIGTERM). Resolves to its exit code. */
  readonly end: () => Promise<number | null>;
}

/** Starts a program and waits until it is ready. Rejects with its output if it ends before. */
export async function startProgram({ command, shell, folder, ready, install }: Program): Promise<RunningProgram> {
  // esbuild serves as long as its input is open.
  const child = spawn(shell ?? "sh", ["-c", `exec ${command}`], { cwd: folder, stdio: "pipe" });
  let output = "";
  const address = await new Promise<string>((resolve, reject) => {
    const read = (piece: Buffer) => {
      output += piece;
      const [, found] = ready.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("close", () => reject(new Error(`${command} ended: ${output}\n${install}`)));
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };
  const end = async () => {
    const closed = once(child, "close");
    child.kill("SIGTERM");
    await closed;
    return child.exitCode;
  };
  return { address, stop, end };
}
