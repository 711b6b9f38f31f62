import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCode, toJsonReport } from "../../../src/report/model/to-json-report.js";
import type { VerifyRpcOptions } from "../../../src/verify/rpc/verify-rpc.js";
import { honestHandlers, serveExample } from "./example-daemon.js";
import { ids, outcomes, verifyExample } from "./verify-example.js";

/** A part of the path of a subscription of the cases, which must not be logged. */
const secret = "e3b0c44298fc1c149afbf4c8996fb924";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "verify-daemon-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

// Concurrent, because each search of a log without secrets waits for it to become quiet.
describe.concurrent("verifyDaemon with a log", () => {
  /** Verifies a daemon that logs a line for each preview. Also returns the checks in order of completion. */
  async function verifyLogging(
    lineOf: (url: string) => string,
    options: Partial<VerifyRpcOptions> = {},
    later?: (write: () => void) => void,
  ) {
    const logFile = join(mkdtempSync(join(folder, "log-")), "daemon.log");
    writeFileSync(logFile, "started\n");
    const { previewImport } = honestHandlers();
    const order: string[] = [];
    const only = ["case redact-query-value", "case preview-redirected", "log file"];
    const report = await verifyExample(
      {
        previewImport: (request, context) => {
          const write = () => appendFileSync(logFile, lineOf(request.url));
          if (later === undefined) write();
          else later(write);
          return previewImport(request, context);
        },
      },
      { only, logFile, onCheck: ({ id }) => order.push(id), ...options },
    );
    return { report, order };
  }

  it("searches it after all other checks", async () => {
    const { report, order } = await verifyLogging(() => "PreviewImport\n");
    expect(order.at(-1)).toBe("log file");
    expect(order.slice(0, -1).sort()).toEqual([
      "case preview-redirected",
      "case redact-query-value",
      "case redact-query-value-in-redirect",
      "case redact-query-value-on-apply",
    ]);
    expect(exitCode(report)).toBe(0);
  });

  it("finds a secret in it, and names the broken rules", async () => {
    const { report } = await verifyLogging((url) => `PreviewImport ${url}\n`);
    expect(outcomes(report)).toMatchObject({ "log file": "failed", "case redact-query-value": "passed" });
    const broken = toJsonReport(report).rules.filter(({ state }) => state === "broken");
    expect(broken.map(({ id }) => id)).toEqual(expect.arrayContaining(["redaction.logs", "redaction.query-value"]));
    expect(JSON.stringify(report)).not.toContain(secret);
  });

  it.each([0, 50, 300])("finds a secret that is logged %i ms after the response", async (lateMs) => {
    const late: Promise<void>[] = [];
    const only = ["case redact-query-value", "log file"];
    const report = await verifyLogging(
      (url) => `failed: ${url}\n`,
      { only },
      (write) => late.push(sleep(lateMs).then(write)),
    );
    await Promise.all(late);
    expect(outcomes(report.report)).toMatchObject({ "log file": "failed" });
  });

  it("accepts the URL of a fetched subscription in it", async () => {
    const { report } = await verifyLogging((url) => (url.includes("Hs4nWq8ZtB") ? `fetched ${url}\n` : "failed\n"));
    expect(exitCode(report)).toBe(0);
  });

  it("counts the check of the log in the number that onPlanned receives", async () => {
    const planned: number[] = [];
    const { report } = await verifyLogging(() => "x\n", { onPlanned: (count) => planned.push(count) });
    expect(planned).toEqual([report.checks.length]);
  });

  it.each(["log file", "redaction.logs"])(
    "searches it if only %s is selected, after the cases that it needs",
    async (name) => {
      const made: string[] = [];
      const lineOf = (url: string) => {
        made.push(url);
        return `GET ${url}\n`;
      };
      const { report } = await verifyLogging(lineOf, { only: [name], jobs: 20 });
      expect(outcomes(report)).toEqual({ "log file": "failed" });
      expect(made.some((url) => url.includes(secret))).toBe(true);
      expect(exitCode(report)).toBe(1);
    },
  );

  it("does not search it unless it is selected", async () => {
    const { report } = await verifyLogging(() => "", { only: ["case select-nothing"] });
    expect(outcomes(report)).toEqual({ "case select-nothing": "passed" });
    expect(exitCode(report)).toBe(0);
  });

  it("searches it in one shard for the cases of all shards", async () => {
    const only = ["case redact-query-value", "case redact-query", "log file"];
    const parts = await Promise.all(
      [1, 2].map((index) => verifyLogging((url) => `GET ${url}\n`, { only, shard: { index, of: 2 } })),
    );
    const found = parts.flatMap(({ report }) => report.checks).filter(({ id }) => id === "log file");
    expect(found).toMatchObject([{ outcome: { kind: "failed" } }]);
    const problems = found.flatMap(({ outcome }) => (outcome.kind === "failed" ? outcome.problems : []));
    for (const name of ["redact-query-value-on-apply", "redact-query-value", "redact-query-value-in-redirect"])
      expect(problems.join()).toContain(name);
  });

  it("skips the check if the daemon fetches nothing", async () => {
    const { report } = await verifyLogging(() => "PreviewImport\n", {
      address: (await serveExample({})).address,
      only: ["redaction"],
    });
    const states = toJsonReport(report).rules.filter(({ resource }) => resource === "redaction");
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["not-exercised", "untestable"]));
  });

  it("reports that nothing was logged", async () => {
    const { report } = await verifyLogging(() => "");
    expect(report.checks.find(({ id }) => id === "log file")?.outcome).toMatchObject({
      kind: "errored",
      reason: expect.stringMatching(/^The server wrote nothing to .+daemon\.log while the cases ran$/),
    });
    expect(exitCode(report)).toBe(2);
  });

  it("does not search it after the run was aborted", async () => {
    const stop = new AbortController();
    const options = { jobs: 1, signal: stop.signal, onCheck: () => stop.abort() };
    const { report } = await verifyLogging(() => "x\n", options);
    expect(ids(report)).toEqual(["case preview-redirected"]);
  });

  it("stops waiting for it when the run is aborted", async () => {
    const stop = new AbortController();
    let checks = 0;
    const onCheck = () => {
      checks += 1;
      // In one process, this timer fires before the ten successive polls that a quiet log takes.
      if (checks === 4) setTimeout(() => stop.abort(), 200);
    };
    const { report } = await verifyLogging(() => "x\n", { signal: stop.signal, onCheck });
    expect(ids(report)).toEqual([
      "case preview-redirected",
      "case redact-query-value",
      "case redact-query-value-in-redirect",
      "case redact-query-value-on-apply",
    ]);
    expect(report.stopped).toBe(true);
  });

  it("rejects a folder", async () => {
    await expect(verifyExample({}, { only: ["case select-"], logFile: tmpdir() })).rejects.toThrow(
      "is not a regular file",
    );
  });
});
