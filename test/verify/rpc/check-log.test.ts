import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import { loadDaemonCases } from "../../../src/daemon/daemon-contract.js";
import { checkLog, logCheck } from "../../../src/verify/rpc/check-log.js";
import { type WatchedLog, watchLog } from "../../../src/verify/rpc/search-log.js";

const { rules, cases } = await loadDaemonCases();

function named(...names: readonly string[]): RpcCase[] {
  return cases.filter(({ name }) => names.includes(name));
}

let folder: string;
let path: string;
const open: WatchedLog[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "check-log-"));
  path = join(folder, "daemon.log");
});
afterEach(async () => {
  for (const log of open.splice(0)) await log.close();
  rmSync(folder, { recursive: true });
});

async function watch(): Promise<WatchedLog> {
  const log = await watchLog(path);
  open.push(log);
  return log;
}

function search(log: WatchedLog, searched: readonly RpcCase[]) {
  return checkLog(log, { cases: searched, rules, didFetch: true });
}

describe("checkLog", () => {
  it("reports a check of the rule about logs", async () => {
    writeFileSync(path, "");
    const log = await watch();
    appendFileSync(path, '{"level":50,"rpc":"ProxySubscriptions/PreviewImport","code":"unavailable"}\n');
    expect(await search(log, cases)).toEqual({ kind: "passed" });
    expect(logCheck(rules)).toMatchObject({ id: "log file", rules: ["redaction.logs"] });
  });

  it("returns a failed check with the line and the names of the cases, without the secret", async () => {
    writeFileSync(path, "started\n");
    const log = await watch();
    appendFileSync(path, "cannot fetch https://grace:vX9pLm3QwE@trey.example:8443/subscription\nfine\n");
    appendFileSync(path, "GET /s/d41d8cd98f00b204e9800998ecf8427e 404\n");
    const outcome = await search(log, named("redact-password", "redact-path", "redact-fragment"));
    expect(outcome).toEqual({
      kind: "failed",
      problems: [
        "line 2 of the log shows a secret of redact-password",
        "line 4 of the log shows a secret of redact-path",
      ],
      broken: [
        "redaction.password",
        "redaction.preview-import",
        "redaction.every-cause",
        "redaction.logs",
        "redaction.path",
      ],
      trace: [],
    });
  });

  it("names every case that shares the secret", async () => {
    writeFileSync(path, "");
    const log = await watch();
    appendFileSync(path, "login of grace with vX9pLm3QwE failed");
    const outcome = await search(log, named("redact-password", "redact-password-on-apply", "redact-path"));
    expect(outcome).toMatchObject({
      problems: ["line 1 of the log shows a secret of redact-password, redact-password-on-apply"],
    });
  });

  it("searches only for the secrets of the cases that ran", async () => {
    writeFileSync(path, "");
    const log = await watch();
    appendFileSync(path, "login of grace with vX9pLm3QwE failed\n");
    expect(await search(log, named("redact-path"))).toEqual({ kind: "passed" });
  });

  it("returns a failed check without a line number if the log was moved away", async () => {
    writeFileSync(path, "started\n");
    const log = await watch();
    appendFileSync(path, "login of grace with vX9pLm3QwE failed\n");
    renameSync(path, `${path}.1`);
    writeFileSync(path, "started again\n");
    expect(await search(log, named("redact-password"))).toMatchObject({
      kind: "failed",
      problems: ["a line of the log that was moved away shows a secret of redact-password"],
    });
  });

  it("returns a failed check even if a part of the log cannot be searched", async () => {
    writeFileSync(path, "before\n".repeat(100));
    const log = await watch();
    truncateSync(path);
    appendFileSync(path, "login of grace with vX9pLm3QwE failed\n");
    expect(await search(log, named("redact-password"))).toMatchObject({ kind: "failed" });
  });
});

describe("checkLog without a verdict", () => {
  it("reports an error if there is no log", async () => {
    const log = await watch();
    expect(await search(log, cases)).toEqual({
      kind: "errored",
      reason: `There is no log file ${path}`,
      help: "Let the server log to this file, or name its log with --log-file",
      trace: [],
    });
  });

  it("reports an error if nothing was logged", async () => {
    writeFileSync(path, "login of grace with vX9pLm3QwE failed\n");
    const log = await watch();
    expect(await search(log, cases)).toEqual({
      kind: "errored",
      reason: `The server wrote nothing to ${path} while the cases ran`,
      help: "Give the file that the server logs to, and let it log errors",
      trace: [],
    });
  });

  it("reports an error if the log was truncated", async () => {
    writeFileSync(path, "before\n".repeat(100));
    const log = await watch();
    truncateSync(path);
    appendFileSync(path, "started again\n");
    expect(await search(log, cases)).toMatchObject({
      kind: "errored",
      reason: `The log ${path} was truncated, so the text before is lost`,
    });
  });
});

describe("checkLog when skipped", () => {
  it("says that it needs a log", async () => {
    expect(await checkLog(undefined, { cases, rules, didFetch: true })).toEqual({
      kind: "skipped",
      reason: "it needs --log-file",
    });
  });

  it("says that the daemon fetched nothing, unless the log shows a secret", async () => {
    writeFileSync(path, "");
    const log = await watch();
    appendFileSync(path, "PreviewImport Unimplemented\n");
    const options = { cases, rules, didFetch: false };
    expect(await checkLog(log, options)).toMatchObject({ kind: "skipped" });
    appendFileSync(path, "login of grace with vX9pLm3QwE failed\n");
    expect(await checkLog(log, options)).toMatchObject({ kind: "failed" });
  });
});
