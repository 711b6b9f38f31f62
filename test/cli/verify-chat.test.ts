import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { listen } from "../../src/base/listen.js";
import { useOwnTemporaryFolder } from "../support/own-temporary-folder.js";
import { startAccord } from "../support/run-accord.js";
import { runInProcess } from "../support/run-in-process.js";
import type { Answer } from "../verify/rest/example-server.js";
import { startStubChat, stubKeys, stubState } from "../verify/rest/stub-chat.js";

const settings = { result: "success", msg: "", service_feature_level: newestLevel };
/** Quick checks that pass on a server that rejects every caller. Only the first needs provider states. */
const [stateful, stateless] = ["probe muteUser/wrong-key", "probe muteUser/no-credentials"];
const only = ["--only", stateful, "--only", stateless];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "accord-verify-chat-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function verify(...args: string[]) {
  return runInProcess("verify", "chat", ...args);
}

/** Whether a URL is called before the checks, to read the level and to test the keys. */
function isBefore(url = ""): boolean {
  return url === "/api/v1/server_settings" || url === "/api/v1/messages";
}

/** A server with one response to all requests to paths that it has. */
async function startServer(answer: Answer, state?: Parameters<typeof startStubChat>[1]) {
  const server = await startStubChat(({ url }) => {
    if (url === "/api/v1/accord-no-such-operation") return { status: 404, type: "text/plain", body: "Not found" };
    return isBefore(url) ? { body: settings } : answer;
  }, state);
  return { ...server, args: [`${server.url}/api/v1`, "--states", server.statesUrl] };
}

const kept: Answer = { status: 401, body: { result: "error", msg: "Who?", code: "UNAUTHORIZED" } };
/** Outside the envelope, so that the server failed instead of refusing. */
const broken: Answer = { status: 500, body: { error: `No, ${stubKeys[3]}` } };

describe("accord verify chat", () => {
  it("exits with 0 and a summary if the server keeps every rule", async () => {
    const server = await startServer(kept);
    const end = await verify(...only, ...server.args);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toMatch(/^2 checks in .*: 2 passed$/m);
    expect(end.stdout).toMatch(/^PASS {2}/m);
  });

  it("exits with 1, and shows the broken rules but no API keys in its output and reports", async () => {
    const server = await startServer(broken);
    const files = ["report.json", "report.xml", "report.html", "failing.yaml", "ctrf.json"].map((name) =>
      join(folder, name),
    );
    const [json = "", junit = "", html = "", list = "", ctrf = ""] = files;
    const written = ["--json", json, "--junit", junit, "--html", html, "--write-known-failing", list, "--ctrf", ctrf];
    const end = await verify(...server.args, "--only", stateful, "--seed", "42", ...written);
    expect(end).toMatchObject({ code: 1, stderr: "" });
    expect(end.stdout).toContain("status: expected 401, got 500");
    expect(end.stdout).toMatch(/curl .*\/users\/me\/muted_users\//);
    const texts = files.map((name) => readFileSync(name, "utf8"));
    expect(JSON.parse(texts[0] ?? "")).toMatchObject({ contract: "chat", level: newestLevel, seed: 42, exitCode: 1 });
    expect(parse(texts[3] ?? "")).toMatchObject([{ name: stateful }]);
    expect(JSON.parse(texts[4] ?? "").results.tests).toMatchObject([{ name: stateful, status: "failed" }]);
    for (const text of [end.stdout, ...texts]) for (const key of stubKeys) expect(text).not.toContain(key);
  });

  it("skips checks that need provider states without --states", async () => {
    const server = await startServer(kept);
    const end = await verify(`${server.url}/api/v1`, "--disposable", ...only);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 checks in .*: 1 passed, 1 skipped$/m) });
    expect(server.seen.some(({ url }) => url === "/states")).toBe(false);
  });

  it("exits with 1 if the known-failing list is outdated", async () => {
    const server = await startServer(kept);
    const list = written("stale.yaml", `- {name: ${stateless}, reason: old}\n`);
    const end = await verify(...server.args, ...only, "--known-failing", list);
    expect(end).toMatchObject({ code: 1, stdout: expect.stringContaining(`${stateless}  OUT OF DATE`) });
  });

  it("accepts known failures", async () => {
    const server = await startServer(broken);
    const list = written(
      "known.yaml",
      [stateful, stateless].map((name) => `- {name: ${name}, reason: Bug 9}\n`).join(""),
    );
    const end = await verify(...server.args, ...only, "--known-failing", list);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining("Bug 9") });
  });

  it("stops at the first failure with --bail", async () => {
    const server = await startServer(broken);
    const end = await verify(...server.args, "--only", "probe muteUser", "--bail", "--jobs", "1");
    expect(end).toMatchObject({ code: 1, stdout: expect.stringMatching(/^1 check in .*: 1 failed$/m) });
  });
});

describe("accord verify chat, before the first check", () => {
  it.each([
    ["127.0.0.1:4011", /The URL of a chat server must be http or https, such as /],
    ["http://127.0.0.1:1/api/v1", /\/server_settings does not answer/],
  ])("rejects the URL %s", async (url, message) => {
    const end = await verify(url, ...only);
    expect(end).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
  });

  it("rejects the URL of another server", async () => {
    const server = await startStubChat(() => ({ status: 404, body: { result: "error", msg: "No such path" } }));
    const end = await verify(`${server.url}/foo/api/v1`, "--states", server.statesUrl);
    expect(end).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining('it answered 404 with {"result"'),
    });
    expect(server.seen).toHaveLength(1);
  });

  it("escapes control characters in the response of another server", async () => {
    const body = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\nPASS";
    const server = await startStubChat(() => ({ status: 404, type: "text/plain", body }));
    const api = await verify(`${server.url}/api/v1`);
    expect(api.stderr).toContain("\\u{1b}]0;owned");
    const states = await startServer(kept, () => ({ status: 500, type: "text/plain", body }));
    const setup = await verify(`${states.url}/api/v1`, "--states", states.statesUrl);
    expect(setup.stderr).toContain("u{9b}31m");
    for (const { stderr } of [api, setup]) expect(stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it.each([
    ["notaurl", "The URL of the provider states must be http or https"],
    ["http://me:s3cret@127.0.0.1/states", "The URL of the provider states must not have credentials"],
    ["http://127.0.0.1:1/states", "http://127.0.0.1:1/states does not answer"],
  ])("rejects the provider states %s in one message", async (statesUrl, message) => {
    const server = await startServer(kept);
    const end = await verify(`${server.url}/api/v1`, "--states", statesUrl);
    expect(end).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
    expect(end.stderr.trim().split("\n")).toHaveLength(1);
    expect(end.stderr).not.toContain("s3cret");
  });

  it.each<[string, Answer, string]>([
    ["with a web page", { body: "<!doctype html>", type: "text/html" }, "the answer is not a JSON object"],
    ["without callers", { body: { organization: "o", credentials: {} } }, "the answer has no credentials of owner"],
    ["with an error", { status: 400, body: { msg: "Unknown state" } }, 'status 400, "Unknown state"'],
  ])("rejects provider states that respond %s", async (_, answer, message) => {
    const server = await startServer(kept, () => answer);
    const end = await verify(...server.args);
    expect(end).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
    expect(end.stderr.match(/could not be set up/g)).toHaveLength(1);
    expect(end.stderr).toContain("To POST /states with");
    expect(server.seen).toHaveLength(2);
  });

  it("stops before the first check if the API does not accept the keys", async () => {
    const server = await startStubChat(({ url }) => (url === "/api/v1/server_settings" ? { body: settings } : kept));
    const end = await verify(`${server.url}/api/v1`, "--states", server.statesUrl);
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toMatch(/^accord: .*\/messages\S* answers 401 to the credentials of `member` .* same server/);
    for (const key of stubKeys) expect(end.stderr).not.toContain(key);
    expect(server.seen).toHaveLength(3);
  });
});

describe("accord verify chat, when stopped", () => {
  /** A server that hangs at one URL. */
  async function startHanging(path: string) {
    const server = createServer((request, response) => {
      if (request.url === "/api/v1/server_settings" && request.url !== path) response.end(JSON.stringify(settings));
      else if (request.url === path) process.emit("SIGINT");
    });
    const { url, close } = await listen(server);
    onTestFinished(close);
    return [`${url}/api/v1`, "--states", url];
  }

  it.each(["/api/v1/server_settings", "/states"])("exits with 2 and a message while it waits for %s", async (path) => {
    const end = await verify(...(await startHanging(path)), ...only);
    expect(end).toEqual({ code: 2, stdout: "", stderr: "accord: It was stopped before the first check\n" });
    expect(process.listenerCount("SIGINT")).toBe(0);
  });

  it("exits with 2 at once while it sets up provider states, and reports that no check ran", async () => {
    let setups = 0;
    const api = await startServer(kept);
    const states = createServer((_, response) => {
      setups++;
      if (setups === 1) response.end(JSON.stringify(stubState({})));
      else process.emit("SIGINT");
    });
    const { url, close } = await listen(states);
    onTestFinished(close);
    const end = await verify(`${api.url}/api/v1`, "--states", url, "--only", "probe muteUser", "--jobs", "1");
    expect(end).toEqual({ code: 2, stdout: "", stderr: "accord: It was stopped before the first check\n" });
  });

  it("exits with 2 if a case is running, and leaves nothing behind", async () => {
    const own = useOwnTemporaryFolder();
    let cases = 0;
    const server = createServer((request, response) => {
      if (isBefore(request.url)) response.end(JSON.stringify(settings));
      else if (request.url === "/states") response.end(JSON.stringify(stubState({})));
      else cases++;
    });
    const { url, close } = await listen(server);
    onTestFinished(close);
    const run = startAccord("verify", "chat", `${url}/api/v1`, "--quiet", "--states", url, "--only", "case muteUser/");
    await expect.poll(() => cases).toBeGreaterThan(0);
    run.child.kill("SIGINT");
    expect(await run.finished).toMatchObject({ code: 2, signal: null });
    expect(own.files()).toEqual([]);
  });
});
