import { vi } from "vitest";
import { runCli } from "../../src/cli/run-cli.js";

/** Runs `accord` in this process, which takes a second less than a process of its own. Tests of a file must not do so at the same time. */
export async function runInProcess(...args: readonly string[]) {
  const end = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      end[stream] += text;
      return true;
    }),
  );
  try {
    const code = await runCli([...args]);
    return { code, ...end };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
