import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { createDaemonReference } from "../../reference/daemon/create-daemon-reference.js";
import { quotes } from "../../scripts/faults/daemon/fetch-errors.js";
import { startFaultyDaemon } from "../../scripts/faults/daemon/start-faulty-daemon.js";
import { daemonVariations } from "../../scripts/faults/daemon/variations.js";
import { listen } from "../../src/base/listen.js";
import { loadDaemonCases } from "../../src/daemon/daemon-contract.js";
import type { DaemonServer } from "../../src/daemon/index.js";
import { startDaemonProcess } from "../support/daemon-process.js";
import { runAccord, startAccord } from "../support/run-accord.js";
import { runInProcess } from "../support/run-in-process.js";
import { emptiestHandlers } from "../verify/adversaries/emptiest-daemon.js";
import { serveExample } from "../verify/rpc/example-daemon.js";

const secret = "e3b0c44298fc1c149afbf4c8996fb924";
const [quick, failing] = ["case login-cancel", "case redact-query-value"];

let folder: string;
let honest: DaemonServer;
let address: string;
/** Quotes URLs in errors. */
let leaking: Awaited<ReturnType<typeof startFaultyDaemon>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "accord-verify-daemon-"));
  honest = await createDaemonReference({ allowPrivate: true, socket: file("daemon.sock") });
  address = honest.addresses[0] ?? "";
  leaking = await startFaultyDaemon(quotes((url) => url));
});
afterAll(async () => {
  await honest.close();
  await leaking.close();
  rmSync(folder, { recursive: true });
});

function file(name: string): string {
  return join(folder, name);
}

const { cases } = await loadDaemonCases();

function written(name: string, text: string): string {
  writeFileSync(file(name), text);
  return file(name);
}

function verify(...args: string[]) {
  return runInProcess("verify", "daemon", "--disposable", "--quiet", ...args);
}

describe("accord verify daemon", () => {
  it("exits with 0 and a summary if the daemon keeps every rule", async () => {
    const end = await runAccord("verify", "daemon", "--disposable", "--quiet", address);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toMatch(/^redaction +\d+ +- +- +1 +1$/m);
    expect(end.stdout).toMatch(/^\d+ checks in .*: \d+ passed, 1 skipped\n {2}1 skipped: it needs --log-file$/m);
    expect(end.stdout).toMatch(/^daemon \S+ at unix:\S+\n\nPASS {2}\d+ rules kept, none broken, 1 not exercised\.$/m);
    expect(end.stdout).not.toContain("case ");
    expect(end.stdout).not.toContain("\u001b");
  });

  it("exits with 3 if the daemon shows too little for a verdict, unless the threshold is lower", async () => {
    const { address: empty } = await serveExample(emptiestHandlers());
    const end = await verify(empty);
    expect(end).toMatchObject({ code: 3, stderr: "" });
    expect(end.stdout).toMatch(/^\d+ of \d+ rules that these checks can show exercised \(\d+ %\)$/m);
    expect(end.stdout).toMatch(/^INCONCLUSIVE {2}None broken, but only \d+ of /m);
    expect(await verify(empty, "--min-exercised", "5")).toMatchObject({ code: 0 });
    expect(await verify(empty, "--only", "case login-cancel")).toMatchObject({ code: 0 });
    expect(await verify(empty, "--min-exercised", "101")).toMatchObject({ code: 2, stdout: "" });
  });

  it.each(["grpc-web", "connect"])("calls over %s", async (protocol) => {
    expect(await verify(address, "--protocol", protocol, "--only", quick)).toMatchObject({ code: 0, stderr: "" });
  });

  it("calls services by the names that it is given, and says how to give them", async () => {
    const behaviour = daemonVariations.find(({ name }) => name === "other-package")?.behaviour ?? {};
    const other = await startFaultyDaemon(behaviour);
    onTestFinished(other.close);
    const names = ["--package", "acme.proxy.v2", "--service", "MeshControlService=Mesh"];
    expect(await verify(other.address, ...names, "--only", quick)).toMatchObject({ code: 0, stderr: "" });
    const end = await verify(other.address, "--only", quick);
    expect(end).toMatchObject({ code: 1, stdout: expect.stringContaining("LoginCancel  not implemented") });
    expect(end.stdout).toContain("--service");
    expect(await verify(other.address, "--package", "acme/proxy")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("It must be the name of a package, such as acme.proxy.v2."),
    });
  });

  it("exits with 1, and prints the broken rule and a command that repeats the call, without the secret", async () => {
    const end = await verify(leaking.address, "--only", failing);
    expect(end).toMatchObject({ code: 1, stderr: "" });
    expect(end.stdout).toMatch(/^redaction\.query-value {2}FAIL$/m);
    expect(end.stdout).toContain("A value in the query of the URL is redacted if its key calls it a secret");
    expect(end.stdout).toContain("the message of the error shows a secret of the URL");
    expect(end.stdout).toMatch(/buf curl .*ProxySubscriptions\/PreviewImport/);
    expect(end.stdout).toMatch(/add: --only 'case redact-query-value[^']*'$/m);
    expect(end.stdout).toMatch(/^FAIL {2}\d+ rules broken\.$/m);
    expect(end.stdout).not.toContain(secret);
  });

  it("exits with 2 and one line if no daemon is running", async () => {
    const end = await verify(`unix:${file("nobody.sock")}`);
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toMatch(/^accord: The server at unix:\S+ cannot be reached: .*Start the server.*\n$/);
  });

  it("exits with 1 for a server that is not a daemon", async () => {
    const { url, close } = await listen(createServer((_, response) => response.end("Welcome")));
    onTestFinished(close);
    const end = await verify(url, "--protocol", "connect", "--only", quick);
    expect(end).toMatchObject({ code: 1, stderr: "" });
    expect(end.stdout).toMatch(/^service\.unary {2}FAIL$/m);
  });

  it("writes reports as JSON, JUnit, CTRF and HTML, and a known-failing list", async () => {
    const written = {
      json: "report.json",
      junit: "report.xml",
      html: "report.html",
      ctrf: "ctrf.json",
      "write-known-failing": "failing.yaml",
    };
    const files = Object.entries(written).flatMap(([option, name]) => [`--${option}`, file(name)]);
    expect(await verify(leaking.address, "--only", failing, "--only", quick, ...files)).toMatchObject({
      code: 1,
    });
    const [report, xml, page, ctrf, known] = Object.values(written).map((name) => readFileSync(file(name), "utf8"));
    expect(JSON.parse(`${report}`)).toMatchObject({
      ...{ contract: "daemon", target: leaking.address, partial: true, stopped: false, exitCode: 1 },
      totals: { checks: { passed: 1, failed: 3, errored: 0 } },
    });
    expect(xml).toMatch(/<testsuites name="accord verify daemon" tests="4" failures="3"/);
    expect(JSON.parse(`${ctrf}`).results.summary).toMatchObject({ tests: 4, passed: 1, failed: 3 });
    expect(page).toMatch(/^<!doctype html>[\s\S]*redaction\.query-value/i);
    expect(parse(`${known}`)).toMatchObject([
      { name: "case redact-query-value" },
      { name: "case redact-query-value-in-redirect" },
      {
        name: "case redact-query-value-on-apply",
        reason: "the message of the error shows a secret of the URL",
      },
    ]);
    expect(`${report}${xml}${page}${ctrf}${known}`).not.toContain(secret);
  });

  it("accepts known failures, and rejects an outdated list", async () => {
    const [name, passing] = ["case redact-query-value-on-apply", "case login-cancel"];
    const expected = written("expected.yaml", `- {name: ${name}, reason: "Issue 12"}\n`);
    const stale = written("stale.yaml", `- {name: ${name}, reason: "Issue 12"}\n- {name: ${passing}, reason: old}\n`);
    const only = ["--only", name, "--only", passing];
    const known = await verify(leaking.address, ...only, "--known-failing", expected);
    const old = await verify(leaking.address, ...only, "--known-failing", stale);
    expect(known).toMatchObject({ code: 0, stdout: expect.stringMatching(/KNOWN TO FAIL[\s\S]*Issue 12/) });
    expect(old).toMatchObject({ code: 1, stdout: expect.stringMatching(/case login-cancel {2}OUT OF DATE/) });
  });

  it("rejects an entry that matches no check in a full run", async () => {
    const list = written("unknown.yaml", "- {name: case login-cancl, reason: typing error}\n");
    const end = await verify(address, "--known-failing", list);
    expect(end).toMatchObject({ code: 1, stdout: expect.stringMatching(/case login-cancl {2}OUT OF DATE/) });
    expect(end.stdout).toMatch(/Similar names:\s+case login-cancel/);
  });

  it("exits with 2 for a malformed list", async () => {
    const list = written("broken.yaml", "- {name: case login-cancel}\n");
    const end = await verify(address, "--known-failing", list);
    expect(end).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/broken\.yaml:1: `reason` is missing/),
    });
  });

  it("runs only the selected checks", async () => {
    const counts: number[] = [];
    for (const part of ["1/2", "2/2"]) {
      const { stdout } = await verify(address, "--only", "case select-", "--only", "case apply-", "--shard", part);
      counts.push(Number(/^(\d+) checks? in/m.exec(stdout)?.[1]));
    }
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(
      cases.filter(({ name }) => /^(select|apply)-/.test(name)).length,
    );
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  it("stops at the first failure with --bail", async () => {
    const end = await verify(leaking.address, "--only", failing, "--bail", "--jobs", "1");
    expect(end).toMatchObject({ code: 1, stdout: expect.stringMatching(/^1 check in .*: 1 failed$/m) });
  });

  it("exits with 2 if no name matches", async () => {
    expect(await verify(address, "--only", "case sing-along")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "accord: No check, rule or operation has a name that begins with `case sing-along`\n",
    });
  });

  it("exits with the code of its result after the reader of its output closes the pipe", async () => {
    const running = startAccord(
      "verify",
      "daemon",
      "--disposable",
      "--quiet",
      leaking.address,
      "--only",
      "case redact-query-value-on-apply",
    );
    running.child.stdout?.destroy();
    expect(await running.finished).toMatchObject({ code: 1, signal: null, stderr: "" });
  });

  it("rejects an unwritable report before the first call", async () => {
    const files = ["--json", file("no-such/x.json"), "--junit", folder, "--html", file("never.html")];
    const end = await verify(`unix:${file("nobody.sock")}`, ...files);
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toMatch(/^accord: The report \S+x\.json cannot be written: .*ENOENT.*\n.*: it is a folder\n$/);
    expect(existsSync(file("never.html"))).toBe(false);
  });

  it("prints the summary and writes the other reports if one report cannot be written", async () => {
    mkdirSync(file("vanishing"));
    const daemon = await startFaultyDaemon({
      handlers: (reference) => ({
        ...reference,
        loginCancel: (...call) => {
          rmSync(file("vanishing"), { recursive: true, force: true });
          return reference.loginCancel(...call);
        },
      }),
    });
    onTestFinished(daemon.close);
    const files = ["--json", file("vanishing/x.json"), "--html", file("written.html")];
    const end = await verify(daemon.address, "--only", quick, ...files);
    expect(end).toMatchObject({ code: 2, stdout: expect.stringMatching(/^PASS {2}/m) });
    expect(end.stderr).toMatch(/^accord: The report \S+x\.json cannot be written: .*ENOENT.*\n$/);
    expect(readFileSync(file("written.html"), "utf8")).toContain("PASS");
  });

  it.each([
    [["--seed", "1"], /--seed does not apply to daemon/],
    [["--protocol", "rest"], /Allowed choices are grpc, grpc-web, connect/],
    [["--shard", "5/4"], /a part such as 1\/4/],
    [["--jobs", "0"], /must be an integer from 1 to/],
    [["--timeout", "soon"], /must be an integer from 1 to/],
    [["--states", "http://127.0.0.1"], /--states does not apply to daemon/],
  ])("rejects %j with exit code 2", async (args, message) => {
    const end = await verify(address, ...args);
    expect(end).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
  });

  it("rejects a missing or malformed address in one line", async () => {
    const [none, wrong] = [await verify(), await verify("daemon.sock")];
    expect(none).toMatchObject({ code: 2, stderr: expect.stringMatching(/missing required argument 'address'/) });
    expect(wrong).toMatchObject({
      stdout: "",
      stderr: expect.stringMatching(/^accord: .*unix:\/path\/to\/socket.*\n$/),
    });
    expect(wrong.code).not.toBe(0);
  });

  it("prints its help", async () => {
    const end = await verify("--help");
    const all = /--protocol[\s\S]*--log-file[\s\S]*--only[\s\S]*--known-failing[\s\S]*127\.0\.0\.1[\s\S]*Exit codes/;
    expect(end).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(all) });
  });
});

describe("accord verify daemon --log-file", () => {
  it("searches the log of a running daemon", async () => {
    const log = written("reference.log", "");
    const daemon = await startDaemonProcess(file("logging.sock"));
    daemon.child.stderr?.on("data", (text: string) => appendFileSync(log, text));
    const end = await verify(daemon.address, "--only", failing, "--only", "log file", "--log-file", log);
    expect(end).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^4 checks in .*: 4 passed$/m) });
    expect(readFileSync(log, "utf8")).toContain("PreviewImport");
  });

  it("exits with 1 if the log contains a secret, and with 2 if it is empty", async () => {
    const log = written("leaking.log", "");
    const daemon = await startFaultyDaemon({
      handlers: (reference) => ({
        ...reference,
        previewImport: (request, context) => {
          appendFileSync(log, `previewing ${request.url}\n`);
          return reference.previewImport(request, context);
        },
      }),
    });
    onTestFinished(daemon.close);
    const leaked = await verify(daemon.address, "--only", failing, "--only", "log file", "--log-file", log);
    const silent = await verify(
      address,
      "--only",
      failing,
      "--only",
      "log file",
      "--log-file",
      written("silent.log", ""),
    );
    expect(leaked).toMatchObject({ code: 1, stdout: expect.stringMatching(/^redaction\.logs {2}FAIL$/m) });
    expect(leaked.stdout).toMatch(/line \d+ of the log shows a secret of redact-query-value/);
    expect(leaked.stdout).not.toContain(secret);
    expect(silent).toMatchObject({ code: 2, stdout: expect.stringContaining("The server wrote nothing to") });
  });
});

describe("accord verify daemon, when stopped", () => {
  it("starts no further checks, reports the finished ones, and exits with 2", async () => {
    expect(process.listenerCount("SIGINT")).toBe(0);
    let calls = 0;
    const daemon = await startFaultyDaemon({
      handlers: (reference) => ({
        ...reference,
        selectNode: (...call) => {
          calls += 1;
          // The first call asks whether the daemon has the RPC.
          if (calls > 1) process.emit("SIGINT");
          return reference.selectNode(...call);
        },
      }),
    });
    onTestFinished(daemon.close);
    const end = await verify(daemon.address, "--only", quick, "--only", "case select-", "--jobs", "1");
    expect(end).toMatchObject({ code: 2, stdout: expect.stringMatching(/^[01] checks? in /m) });
    expect(end.stdout).toMatch(
      /^STOPPED {2}The run was stopped before it was complete\. So far: \d+ rules? kept, none broken, /m,
    );
    expect(process.listenerCount("SIGINT")).toBe(0);
  });
});
