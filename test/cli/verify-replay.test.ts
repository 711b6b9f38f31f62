import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { listen } from "../../src/base/listen.js";
import { watchAndRepeat } from "../../src/cli/watch-and-repeat.js";
import type { VerifyReport } from "../../src/report/model/verify-report.js";
import { runInProcess } from "../support/run-in-process.js";
import type { Answer, SeenRequest } from "../verify/rest/example-server.js";
import { startStubChat } from "../verify/rest/stub-chat.js";

const settings = { result: "success", msg: "", service_feature_level: newestLevel };
const refused: Answer = { status: 401, body: { result: "error", msg: "Who?", code: "UNAUTHORIZED" } };
const broken: Answer = { status: 500, body: "no" };
const [failing, passing] = ["probe muteUser/no-credentials", "probe muteUser/unknown-user"];

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "accord-replay-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A server that refuses callers without an account, except without credentials while it `isBroken`. */
async function startServer(state: { isBroken: boolean }) {
  const answer = ({ url, authorization, method }: SeenRequest): Answer => {
    if (url === "/api/v1/server_settings") return { body: settings };
    if (url?.includes("accord-no-such-operation")) return { status: 404, body: "no such path" };
    return state.isBroken && method === "POST" && authorization === undefined ? broken : refused;
  };
  const server = await startStubChat(answer);
  return { ...server, api: `${server.url}/api/v1` };
}

describe("accord verify chat --replay", () => {
  it("repeats only the failed checks of a report, with its seed and level", async () => {
    const state = { isBroken: true };
    const server = await startServer(state);
    const json = join(temporaryFolder(), "report.json");
    const first = ["--only", failing, "--only", passing, "--seed", "7", "--feature-level", "200", "--json", json];
    expect((await runInProcess("verify", "chat", server.api, "--disposable", ...first)).code).toBe(1);
    state.isBroken = false;
    const again = join(temporaryFolder(), "again.json");
    const end = await runInProcess("verify", "chat", server.api, "--disposable", "--replay", json, "--json", again);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 check in .*: 1 passed$/m) });
    const report = JSON.parse(readFileSync(again, "utf8"));
    expect(report).toMatchObject({ seed: 7, level: 200, partial: true, checks: [{ id: failing }] });
    const none = await runInProcess("verify", "chat", server.api, "--disposable", "--replay", again);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("has no failed check to repeat") });
    const daemon = await runInProcess("verify", "daemon", "http://127.0.0.1:1", "--replay", json);
    expect(daemon).toMatchObject({ code: 2, stderr: expect.stringContaining("repeat it with accord verify chat") });
  });

  it("rejects a report with an unknown check", async () => {
    const server = await startServer({ isBroken: true });
    const json = join(temporaryFolder(), "report.json");
    await runInProcess("verify", "chat", server.api, "--disposable", "--only", failing, "--json", json);
    writeFileSync(json, readFileSync(json, "utf8").replaceAll(failing, "probe muteUser/gone"));
    const end = await runInProcess("verify", "chat", server.api, "--disposable", "--replay", json);
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no check `probe muteUser/gone`") });
  });
});

it("accord verify chat reports the smallest random request that fails", async () => {
  const server = await startStubChat(({ url = "" }) => {
    if (url.includes("accord-no-such-operation")) return { status: 404, body: "no such path" };
    const [, id = ""] = /muted_users\/(\d+)$/.exec(url) ?? [];
    if (Number(id) > 1000) return broken;
    return { body: settings };
  });
  const json = join(temporaryFolder(), "report.json");
  const only = ["--only", "probe muteUser/random-requests", "--seed", "1", "--json", json];
  const end = await runInProcess("verify", "chat", `${server.url}/api/v1`, "--states", server.statesUrl, ...only);
  expect(end.code).toBe(1);
  const [check] = JSON.parse(readFileSync(json, "utf8")).checks;
  expect(check.trace.at(-1).request).toContain("/muted_users/1001\n");
});

describe("accord verify chat --watch", () => {
  it("repeats what failed after a change of a file, writes what changed, and ends on a signal", async () => {
    const state = { isBroken: true };
    const server = await startServer(state);
    const folder = temporaryFolder();
    const run = runInProcess(
      ...["verify", "chat", server.api, "--disposable", "--only", failing, "--only", passing, "--watch", folder],
    );
    const printed = () => vi.mocked(process.stdout.write).mock.calls.join("");
    await expect.poll(printed).toContain("Waiting for a change");
    state.isBroken = false;
    // The watcher may start after the first change.
    await expect
      .poll(() => {
        writeFileSync(join(folder, "server.py"), `${Math.random()}`);
        return printed();
      })
      .toContain(`passed  ${failing}\n1 check repeated, 1 changed, 0 failing\n`);
    process.emit("SIGTERM");
    const end = await run;
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toMatch(/^FAIL/m);
  });

  it("notices each change of a file, also if an editor replaces it", async () => {
    const state = { isBroken: true };
    const server = await startServer(state);
    const folder = temporaryFolder();
    const [watched, next] = [join(folder, "server.py"), join(folder, "next")];
    writeFileSync(watched, "");
    const run = runInProcess("verify", "chat", server.api, "--disposable", "--only", failing, "--watch", watched);
    const printed = () => vi.mocked(process.stdout.write).mock.calls.join("");
    await expect.poll(printed).toContain("Waiting for a change");
    for (const isBroken of [false, true]) {
      state.isBroken = isBroken;
      await expect
        .poll(() => {
          writeFileSync(next, `${Math.random()}`);
          renameSync(next, watched);
          return printed();
        })
        .toContain(isBroken ? `failed  ${failing}` : `passed  ${failing}`);
    }
    process.emit("SIGTERM");
    expect(await run).toMatchObject({ code: 1 });
  });

  it("rejects a path that does not exist", async () => {
    const end = await runInProcess("verify", "chat", "http://127.0.0.1:1/api/v1", "--watch", "/no/such/folder");
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("/no/such/folder cannot be watched") });
  });
});

it("watchAndRepeat repeats when the server comes back", async () => {
  const first = await listen(createServer());
  const { port } = new URL(first.url);
  const stop = new AbortController();
  const report = (kind: "passed" | "skipped") =>
    ({
      checks: [{ id: "case a/b", outcome: kind === "passed" ? { kind } : { kind, reason: "c" } }],
    }) as unknown as VerifyReport;
  const lines: string[] = [];
  const runs: unknown[] = [];
  const repeating = watchAndRepeat(report("skipped"), {
    ...{ paths: [], target: first.url, signal: stop.signal },
    write: (line) => lines.push(line),
    run: async (ids) => {
      runs.push(ids);
      return report("passed");
    },
  });
  await expect.poll(() => lines.length).toBe(1);
  await first.close();
  await expect.poll(() => lines).toContain("The server is gone. Waiting for it to come back");
  const second = createServer().listen(Number(port), "127.0.0.1");
  onTestFinished(() => void second.close());
  await expect.poll(() => runs).toEqual([["case a/b"]]);
  await expect.poll(() => lines).toContain("passed  case a/b");
  stop.abort();
  expect(await repeating).toBe(false);
});

it("watchAndRepeat repeats once more if a change of a file has no effect at first, since some servers reload late", async () => {
  const server = await listen(createServer());
  onTestFinished(server.close);
  const folder = temporaryFolder();
  const stop = new AbortController();
  const report = (kind: "passed" | "failed") =>
    ({
      checks: [{ id: "case a/b", outcome: kind === "passed" ? { kind } : { kind, problems: ["c"] } }],
    }) as unknown as VerifyReport;
  const lines: string[] = [];
  let runs = 0;
  const repeating = watchAndRepeat(report("failed"), {
    ...{ paths: [folder], target: server.url, signal: stop.signal },
    write: (line) => lines.push(line),
    run: async () => {
      runs += 1;
      return report(runs === 1 ? "failed" : "passed");
    },
  });
  // The watcher may start after the first change.
  await expect
    .poll(() => {
      if (runs === 0) writeFileSync(join(folder, "server.py"), "");
      return runs;
    })
    .toBeGreaterThan(0);
  await expect.poll(() => lines).toContain("passed  case a/b");
  stop.abort();
  expect(await repeating).toBe(false);
});
