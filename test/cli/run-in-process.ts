import { vi } from "vitest";
import { serveCommand } from "../../reference/cli/serve.js";
import { mockCommand } from "../../src/cli/commands/mock.js";
import { verifyCommand } from "../../src/cli/commands/verify.js";
import { runCli } from "../../src/cli/run-cli.js";

/** Runs `accord verify`, or a server that does not start, in this process, a second faster than in a child process. Not for concurrent tests of one file. */
export async function runInProcess(...args: readonly string[]) {
  const end = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      end[stream] += text;
      return true;
    }),
  );
  try {
    const code = await runCli(args, [mockCommand(), serveCommand(), verifyCommand()]);
    return { code, ...end };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
