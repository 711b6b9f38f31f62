import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { hasColours } from "../../src/cli/publish-report.js";

const main = fileURLToPath(new URL("../../dist/reference/cli/main.js", import.meta.url));

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("hasColours", () => {
  it.each([
    [true, "", "", true],
    [false, "", "", false],
    [true, "", "1", false],
    [false, "1", "", true],
    [false, "1", "1", true],
    [true, "0", "", false],
    [true, "false", "", false],
  ])("for a terminal (%s), FORCE_COLOR=%j and NO_COLOR=%j, is %s", (isTTY, forced, none, want) => {
    vi.stubEnv("FORCE_COLOR", forced);
    vi.stubEnv("NO_COLOR", none);
    expect(hasColours({ isTTY })).toBe(want);
  });
});

it("ends a proxy or server whose npx was killed", async () => {
  // As npx does: a shell runs the command, and nothing passes on the signal.
  const shell = spawn("sh", ["-c", `"${process.execPath}" "${main}" mock chat --port 0; true`], {
    env: { ...process.env, npm_command: "exec" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void shell.kill("SIGKILL"));
  await new Promise((resolve) => shell.stdout.once("data", resolve));
  const ended = new Promise((resolve) => shell.stdout.once("close", resolve));
  shell.kill("SIGTERM");
  await ended;
});
