import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { listen } from "../../src/mock/listen.js";
import { runAccord, startAccord } from "./run-accord.js";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

describe("accord", () => {
  it.each([
    [["--help"], 0, /Usage: accord[\s\S]*mock[\s\S]*spec[\s\S]*Exit codes/],
    [["--version"], 0, new RegExp(`^${version}\n$`)],
    [["mock", "--help"], 0, /both mocks[\s\S]*/],
    [["mock", "chat", "--help"], 0, /--port[\s\S]*Prefer[\s\S]*curl/],
    [["mock", "daemon", "--help"], 0, /--socket[\s\S]*SelectNode/],
    [["spec", "chat", "--help"], 0, /--feature-level[\s\S]*--format/],
  ] as const)("%j prints what it is for", async (args, code, pattern) => {
    const end = await runAccord(...args);
    expect(end).toMatchObject({ code, stderr: "", stdout: expect.stringMatching(pattern) });
  });

  it.each([
    [["--colour"], /unknown option '--colour'/],
    [["dance"], /unknown command 'dance'/],
    [["mock", "chat", "--prot", "1"], /unknown option '--prot'[\s\S]*--port/],
    [["mock", "chat", "--port", "x"], /must be an integer from 0 to 65535/],
    [["mock", "chat", "extra"], /too many arguments/],
    [["spec", "chat", "--format", "toml"], /Allowed choices are yaml, json/],
    [["spec", "chat", "--feature-level", "-1"], /must be an integer/],
  ] as const)("%j is refused with exit code 2", async (args, message) => {
    const end = await runAccord(...args);
    expect(end).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
    expect(end.stderr).not.toMatch(/\n\s+at /);
  });
});

describe("accord spec chat", () => {
  it("prints the contract, and as of a level without what came later", async () => {
    const [whole, old] = await Promise.all([
      runAccord("spec", "chat", "--format", "json"),
      runAccord("spec", "chat", "--feature-level", "380"),
    ]);
    expect(Object.keys(JSON.parse(whole.stdout).paths)).toContain("/reminders");
    expect(Object.keys(parse(old.stdout).paths)).not.toContain("/reminders");
  });
});

describe("accord", () => {
  it("ends quietly when the reader of its output has seen enough", async () => {
    const child = startAccord("spec", "chat");
    child.child.stdout?.destroy();
    expect(await child.finished).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("accord mock", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("serves until %s, then ends with 0", async (signal) => {
    const mock = startAccord("mock", "chat", "--port", "0");
    const [, url] = await mock.printed(/chat mock +(\S+)\n/);
    expect((await fetch(`${url}/server_settings`)).status).toBe(200);
    mock.child.kill(signal);
    expect(await mock.finished).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  it("refuses a port that is taken, without a stack", async () => {
    const mock = startAccord("mock", "chat", "--port", "0");
    const [, port = ""] = await mock.printed(/chat mock +http:\/\/127\.0\.0\.1:(\d+)/);
    const second = await runAccord("mock", "chat", "--port", port);
    expect(second).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^accord: Port \d+ on 127\.0\.0\.1 is already in use\. .*another port.*\n$/),
    });
    mock.child.kill("SIGINT");
    await mock.finished;
  });

  it("ends when only one of both mocks can have its port, and leaves none running", async () => {
    const taken = await listen(createServer(), { port: 4020 }).catch(() => undefined);
    const end = await runAccord("mock");
    expect(end).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^accord: Port 40[12]0 on 127\.0\.0\.1 is already in use/),
    });
    await taken?.close();
  });

  it("stops at once although a connection never said anything", async () => {
    const mock = startAccord("mock", "chat", "--port", "0");
    const [, port] = await mock.printed(/chat mock +http:\/\/127\.0\.0\.1:(\d+)/);
    const silent = connect(Number(port), "127.0.0.1").on("error", () => {});
    await once(silent, "connect");
    mock.child.kill("SIGTERM");
    expect(await mock.finished).toMatchObject({ code: 0, stderr: "" });
    silent.destroy();
  });

  it("serves the daemon on a socket, which is gone afterwards", async () => {
    const folder = mkdtempSync(join(tmpdir(), "accord-"));
    try {
      const socket = join(folder, "daemon.sock");
      const mock = startAccord("mock", "daemon", "--socket", socket);
      await mock.printed(/daemon mock +unix:/);
      expect(existsSync(socket)).toBe(true);
      mock.child.kill("SIGTERM");
      expect(await mock.finished).toMatchObject({ code: 0, stderr: "" });
      expect(existsSync(socket)).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
