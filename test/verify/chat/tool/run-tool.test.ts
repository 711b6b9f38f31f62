import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runTool } from "../../../../src/verify/chat/tool/run-tool.js";
import { useOwnTemporaryFolder } from "../../../support/own-temporary-folder.js";

function run(code: string) {
  const { path } = useOwnTemporaryFolder();
  const script = join(path, "tool.mjs");
  writeFileSync(script, code);
  const { signal } = new AbortController();
  return runTool({ script, args: [], folder: path, output: "log", maxMemoryMib: 300, signal }).ended;
}

afterEach(() => void vi.unstubAllEnvs());

describe("runTool", () => {
  it("hides proxies from the tool, because this process sends no request through a proxy", async () => {
    for (const name of ["HTTP_PROXY", "https_proxy", "ALL_PROXY", "npm_config_proxy"]) {
      vi.stubEnv(name, "http://127.0.0.1:9");
    }
    const code = "process.exitCode = Object.keys(process.env).filter((name) => /_proxy$/i.test(name)).length";
    expect(await run(code)).toBe("exit code 0");
  });

  it.each([
    ["exits", "process.exitCode = 3", "exit code 3"],
    ["is killed", "process.kill(process.pid, 'SIGTERM')", "signal SIGTERM"],
    [
      "allocates memory without end",
      "const held = []; setInterval(() => held.push(Buffer.alloc(16 * 1024 * 1024, 1)), 10)",
      "more than 300 MiB of memory, probably because of an endless answer",
    ],
  ])("describes the end of a tool that %s", async (_, code, want) => {
    expect(await run(code)).toBe(want);
  });
});
