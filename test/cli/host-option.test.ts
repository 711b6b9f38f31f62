import { describe, expect, it } from "vitest";
import { isLoopback } from "../../src/cli/host-option.js";
import { startAccord } from "../support/run-accord.js";
import { runInProcess } from "../support/run-in-process.js";

describe("isLoopback", () => {
  it.each([
    ["127.0.0.1", true],
    ["127.8.9.10", true],
    ["::1", true],
    ["localhost", true],
    ["0.0.0.0", false],
    ["::", false],
    ["192.168.1.2", false],
    ["127.example.org", false],
    ["localhost.example.org", false],
  ])("returns for %s: %s", (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});

describe("--host", () => {
  it.each([
    [["mock", "chat", "--port", "0"], /does not check whose credentials/],
    [["mock", "daemon", "--port", "0"], /does not check whose credentials/],
    [["serve", "chat", "--port", "0", "--states", "--allow-states"], /plain HTTP/],
    [["serve", "daemon", "--port", "0", "--socket", `/tmp/accord-host-${process.pid}.sock`], /does not authenticate/],
  ] as const)("lets other machines reach `accord %j`, with a warning", async (args, warning) => {
    const { printed, child, finished } = startAccord(...args, "--host", "0.0.0.0");
    const [, port] = await printed(/http:\/\/0\.0\.0\.0:(\d+)/);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBeGreaterThanOrEqual(200);
    child.kill("SIGTERM");
    const { code, stderr } = await finished;
    expect(stderr).toMatch(/^accord: warning: other machines can reach this server at 0\.0\.0\.0\. /m);
    expect(stderr).toMatch(warning);
    expect(code).toBe(0);
  });

  it.each([
    [["serve", "chat", "--states", "--host", "0.0.0.0"], /create accounts.*Add --allow-states/],
    [["serve", "daemon", "--host", "0.0.0.0"], /--host needs --port/],
    [["mock", "daemon", "--socket", "/tmp/unused.sock", "--host", "0.0.0.0"], /--host needs --port/],
    [["mock", "chat", "--host", ""], /must be an address/],
    [["mock", "chat", "--port", "0", "--host", "203.0.113.7"], /203\.0\.113\.7 is not an address of this machine/],
  ] as const)("is refused in `accord %j`", async (args, message) => {
    const { code, stderr } = await runInProcess(...args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
