import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { needing } from "../../support/needing.js";
import { sampleOf } from "../../support/thorough.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const { ACCORD_NPM_TEST: mode } = process.env;

/** Starts `npm test` with this file alone, which then has the tests of a mode. */
function startNpmTest(wanted: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn("npm", ["test", "--", "test/scripts/test/npm-test.test.ts"], {
    cwd: root,
    env: { ...process.env, CI: "", ...env, ACCORD_NPM_TEST: wanted },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (output += piece));
  const ended = once(child, "close").then(() => output);
  return { child, ended };
}

/** The ids of running processes whose environment has a text. */
function processesWith(text: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "utf8").includes(text);
    } catch {
      return false;
    }
  });
}

if (mode === "skips") {
  const without = needing("bash", "curl");
  without.it("A", () => expect.unreachable());
  without.it.concurrent.each([1])("B %i", { timeout: 1 }, () => expect.unreachable());
  without.describe.each([1])("C %i", () => it("D", () => expect.unreachable()));
  it("passes", ({ task }) => {
    expect(task.file.tasks.map(({ name }) => name).slice(0, 3)).toEqual(
      ["A", "B 1", "C 1"].map((name) => `${name} (missing: curl)`),
    );
  });
} else if (mode !== undefined) {
  it("hangs, after starting a process in a session of its own that ignores SIGTERM", async () => {
    const code = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); require("fs").writeFileSync(${JSON.stringify(mode)}, "")`;
    spawn(process.execPath, ["--eval", code], { detached: true, stdio: "ignore" }).unref();
    spawn("sh", ["-c", "sh -c 'sleep 1000' & sleep 1000"]);
    await new Promise(() => {});
  });
} else {
  describe("npm test", () => {
    it("skips tests that need a missing program, and counts and names them at the end", async () => {
      const { child, ended } = startNpmTest("skips", { ACCORD_MISSING: "curl nginx" });
      expect(await ended).toMatch(
        /\nmissing programs, .*\.ci\/install\)\n +3 +curl\n +0 +nginx\n\n1 passed, 0 failed, 3 skipped\n$/,
      );
      expect(child.exitCode).toBe(0);
    });

    it("fails in CI if a program is missing, and names it", async () => {
      const { child, ended } = startNpmTest("skips", { ACCORD_MISSING: "curl", CI: "true" });
      const output = await ended;
      expect(output).toContain("A program is not installed (missing: curl). Run .ci/install");
      expect(output).toMatch(/\n0 passed, 1 failed, 0 skipped\n/);
      expect(child.exitCode).not.toBe(0);
    });
  });

  describe.skipIf(!existsSync("/proc/self/environ"))("npm test on Linux", () => {
    const signals = ["SIGTERM", "SIGKILL", "SIGINT", "SIGHUP"] as const;
    it.each([
      ...sampleOf(signals, 2).map((signal) => ({ signal, target: "npm" })),
      { signal: "SIGKILL" as const, target: "node" },
    ])("ends every process that it started on $signal to $target", async ({ signal, target }) => {
      const folder = mkdtempSync(join(tmpdir(), "accord-npm-test-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const started = join(folder, "started");
      const { child, ended } = startNpmTest(started);
      await expect.poll(() => existsSync(started)).toBe(true);
      const running = processesWith(started);
      expect(running.length).toBeGreaterThan(4);
      const isScript = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("scripts/test.ts");
      process.kill(Number(target === "npm" ? child.pid : running.find(isScript)), signal);
      await expect.poll(() => processesWith(started)).toEqual([]);
      await ended;
    });
  });
}
