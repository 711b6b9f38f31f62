import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { createCommands } from "../../reference/cli/commands.js";
import { listen } from "../../src/base/listen.js";
import { type RunningAccord, runAccord, startAccord } from "../support/run-accord.js";
import { runInProcess } from "../support/run-in-process.js";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const { info } = parse(readFileSync(new URL("../../openapi/chat.yaml", import.meta.url), "utf8"));
const versions = `accord-contracts ${version}\nchat contract ${info.version}\ndaemon contract ${version}\n`;

describe("accord", () => {
  it.each([
    [["--help"], 0, /Usage: accord[\s\S]*mock[\s\S]*spec[\s\S]*Exit codes/],
    [["--version"], 0, new RegExp(`^${versions}$`)],
    [["mock", "--help"], 0, /chat, daemon or a contract of accord\.yaml[\s\S]*Prefer/],
    [["mock", "chat", "--help"], 0, /--port[\s\S]*Prefer[\s\S]*curl/],
    [["mock", "daemon", "--help"], 0, /--socket[\s\S]*GetOrder/],
    [["serve", "chat", "--help"], 0, /--port[\s\S]*--data[\s\S]*--demo[\s\S]*--states[\s\S]*--rate-limit/],
    [["serve", "daemon", "--help"], 0, /--socket[\s\S]*--port[\s\S]*--data[\s\S]*--allow-private[\s\S]*--log-level/],
    [["spec", "chat", "--help"], 0, /--feature-level[\s\S]*--profile[\s\S]*--format/],
    [["spec", "daemon", "--help"], 0, /--format[\s\S]*binpb/],
  ] as const)("prints help for %j", async (args, code, pattern) => {
    const end = await runInProcess(...args);
    expect(end).toMatchObject({ code, stderr: "", stdout: expect.stringMatching(pattern) });
  });

  it("fits all help into 80 columns, but for commands to copy", async () => {
    const verbs = createCommands().flatMap((command) => [
      [command.name()],
      ...command.commands.map((one) => [command.name(), one.name()]),
    ]);
    for (const args of [[], ...verbs]) {
      const { stdout } = await runInProcess(...args, "--help");
      const long = stdout.split("\n").filter((line) => line.length > 80 && !/accord |curl /.test(line));
      expect({ args, long }).toEqual({ args, long: [] });
    }
  });

  it("names every exit code", async () => {
    const { stdout } = await runInProcess("--help");
    expect(stdout.replace(/\s+/g, " ")).toMatch(/Exit codes: 0 .*, 1 .*, 2 .*, 3 /);
  });

  it.each<[name: string, has: string[], lacks: string[]]>([
    ["museum", ["--states", "--account", "TOKEN"], ["NAME:PASSWORD", "--protocol", "--service", "--feature-level"]],
    ["library", ["--protocol", "--service", "--states <url>"], ["--value", "--seed", "--feature-level"]],
  ])("prints the options of the contract %s", async (name, has, lacks) => {
    const project = fileURLToPath(new URL(`../contracts/${name}/accord.yaml`, import.meta.url));
    const { code, stdout } = await runInProcess("verify", name, "--project", project, "--help");
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: accord verify ${name} [options] <address>\n`);
    for (const text of has) expect(stdout).toContain(text);
    for (const text of lacks) expect(stdout).not.toContain(text);
  });

  it.each([
    [["--colour"], /unknown option '--colour'/],
    [["dance"], /unknown command 'dance'/],
    [["mock", "chat", "--prot", "1"], /unknown option '--prot'[\s\S]*--port/],
    [["mock", "chat", "--port", "x"], /must be an integer from 0 to 65535/],
    [["mock", "chat", "extra"], /too many arguments/],
    [["serve", "chat", "--port", "70000"], /must be an integer from 0 to 65535/],
    [["serve", "chat", "--feature-level", "416"], /must be an integer from 0 to 415/],
    [["serve", "chat", "--rate-limit", "5"], /number of requests per second from 1 to 1000000, such as 10\/s/],
    [["serve", "chat", "--rate-limit", "0/s"], /number of requests per second/],
    [["serve", "chat", "--cors", "https://ui.example.org/app"], /--cors <origin>.*write https:\/\/ui\.example\.org\./],
    [["serve", "chat", "--cors", "*"], /does not let every page call it/],
    [["serve", "chat", "--log-level", "loud"], /Allowed choices are silent, error, warn, info, debug/],
    [["serve", "chat", "--data", ""], /must be the path of a folder/],
    [["serve", "daemon", "--port", "-1"], /must be an integer from 0 to 65535/],
    [["serve", "daemon", "--data", ""], /must be the path of a folder/],
    [["serve", "daemon", "--socket", ""], /must be the path of a socket/],
    [["spec", "chat", "--format", "toml"], /Allowed choices are yaml, json/],
    [["spec", "chat", "--feature-level", "416"], /must be an integer from 0 to 415/],
    [["spec", "chat", "--profile", "swagger"], /Allowed choices are generators, dredd, prism, arazzo/],
    [["spec", "chat", "--profile", "arazzo"], /--profile arazzo and --output need each other/],
    [["spec", "chat", "--output", "workflows"], /--profile arazzo and --output need each other/],
    [
      ["spec", "chat", "--profile", "arazzo", "--output", "a", "--format", "json"],
      /cannot be used with option '--format/,
    ],
    [["spec", "daemon", "--format", "yaml"], /Allowed choices are proto, json, binpb/],
  ] as const)("rejects %j with exit code 2", async (args, message) => {
    const end = await runInProcess(...args);
    expect(end).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
    expect(end.stderr).not.toMatch(/\n\s+at /);
  });
});

describe("accord spec chat", () => {
  it("prints the contract, or the contract as of a level", async () => {
    const whole = await runInProcess("spec", "chat", "--format", "json");
    const old = await runInProcess("spec", "chat", "--feature-level", "380");
    expect(Object.keys(JSON.parse(whole.stdout).paths)).toContain("/reminders");
    expect(Object.keys(parse(old.stdout).paths)).not.toContain("/reminders");
  });
});

describe("accord spec daemon", () => {
  it("prints one file, or the descriptor set of protoc", async () => {
    const [text, json] = [
      await runInProcess("spec", "daemon"),
      await runInProcess("spec", "daemon", "--format", "json"),
    ];
    expect(text.stdout).toMatch(/^syntax = "proto3";\n\npackage proxydaemon\.v1;/);
    expect(JSON.parse(json.stdout).file.map(({ name }: { name: string }) => name)).toContain(
      "google/protobuf/empty.proto",
    );
  });
});

describe("accord as a process", () => {
  it("exits with the exit code of its command", async () => {
    expect((await runAccord("dance")).code).toBe(2);
  });

  it("exits silently when the reader of its output closes the pipe", async () => {
    const child = startAccord("spec", "chat");
    child.child.stdout?.destroy();
    expect(await child.finished).toMatchObject({ code: 0, stderr: "" });
  });

  it.skipIf(!existsSync("/dev/full"))("reports in one line that its output cannot be written", async () => {
    const full = openSync("/dev/full", "w");
    onTestFinished(() => closeSync(full));
    const args = ["dist/reference/cli/main.js", "spec", "chat"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", full, "pipe"] });
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const [code] = await once(child, "close");
    expect([code, stderr]).toEqual([2, "accord: Cannot write the output: ENOSPC: no space left on device, write\n"]);
  });
});

describe("accord mock", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("serves until %s, then exits with 0", async (signal) => {
    const mock = startAccord("mock", "chat", "--port", "0");
    const [, url] = await mock.printed(/chat mock +(\S+)\n/);
    expect((await fetch(`${url}/server_settings`)).status).toBe(200);
    mock.child.kill(signal);
    expect(await mock.finished).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  it("reports a port that is in use, without a stack trace", async () => {
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

  it("exits when one of the two mocks cannot use its port, and leaves none running", async () => {
    const taken = await listen(createServer(), { port: 4020 }).catch(() => undefined);
    const end = await runAccord("mock");
    expect(end).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^accord: Port 40[12]0 on 127\.0\.0\.1 is already in use/),
    });
    await taken?.close();
  });

  it("stops at once despite a silent connection", async () => {
    const mock = startAccord("mock", "chat", "--port", "0");
    const [, port] = await mock.printed(/chat mock +http:\/\/127\.0\.0\.1:(\d+)/);
    const silent = connect(Number(port), "127.0.0.1").on("error", () => {});
    await once(silent, "connect");
    mock.child.kill("SIGTERM");
    expect(await mock.finished).toMatchObject({ code: 0, stderr: "" });
    silent.destroy();
  });

  it("serves the daemon on a socket, and removes it afterwards", async () => {
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

describe("accord serve chat", () => {
  it("prints its free port and serves until it is stopped, with and without provider states", async () => {
    const origins = ["https://ui.example.org", "http://192.168.1.5:5173"];
    const cors = origins.flatMap((origin) => ["--cors", origin]);
    const [with_, without] = [
      ["--states", ...cors],
      ["--feature-level", "10", "--rate-limit", "5/s"],
    ].map((args) => startAccord("serve", "chat", "--port", "0", "--log-level", "error", ...args)) as [
      RunningAccord,
      RunningAccord,
    ];
    const [, states = ""] = await with_.printed(/chat states +(\S+)\n/);
    const [, url] = await without.printed(/chat server +(\S+)\n/);
    const setup = { method: "POST", body: JSON.stringify({ state: "organization", action: "setup" }) };
    expect((await fetch(states, setup)).status).toBe(200);
    expect((await fetch(`${new URL("/states", url)}`, setup)).status).toBe(404);
    for (const origin of origins) {
      const { headers } = await fetch(`${new URL("/healthz", states)}`, { headers: { Origin: origin } });
      expect(headers.get("access-control-allow-origin")).toBe(origin);
    }
    expect((await fetch(`${url}/reminders`, { method: "POST" })).status).toBe(404);
    for (const { child, finished } of [with_, without]) {
      child.kill("SIGTERM");
      expect(await finished).toMatchObject({ code: 0, signal: null, stderr: "" });
    }
  });

  it("reports a port that is in use, without a stack trace", async () => {
    const taken = await listen(createServer());
    const port = new URL(taken.url).port;
    const end = await runAccord("serve", "chat", "--port", port);
    expect(end).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^accord: Port \d+ .*in use.*\n$/),
    });
    await taken.close();
  });
});
