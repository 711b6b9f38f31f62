import { vi } from "vitest";
import { createCommands } from "../../reference/cli/commands.js";
import { runCli } from "../../src/cli/run-cli.js";
import { withoutProgress } from "./without-progress.js";

/** Runs `accord` in this process, a second faster than in a child process. Not for concurrent tests of one file. */
export async function runInProcess(...args: readonly string[]) {
  const end = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      end[stream] += text;
      return true;
    }),
  );
  try {
    const code = await runCli(args, createCommands());
    return { code, stdout: end.stdout, stderr: withoutProgress(end.stderr) };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs `accord` in this process in another folder. Not in files that share their process with others. */
export async function runInFolder(folder: string, ...args: readonly string[]) {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await runInProcess(...args);
  } finally {
    process.chdir(before);
  }
}
