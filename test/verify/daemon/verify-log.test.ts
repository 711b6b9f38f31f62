import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { VerifyDaemonOptions } from "../../../src/verify/daemon/verify-daemon.js";
import { exitCode } from "../../../src/verify/report/exit-code.js";
import { judgeRules } from "../../../src/verify/report/judge-rules.js";
import { honestHandlers, serveExample } from "./example-daemon.js";
import { ids, outcomes, verifyExample } from "./verify-example.js";

/** A part of the path of a subscription of the cases, which must not be logged. */
const secret = "d41d8cd98f00b204e9800998ecf8427e";

describe("verifyDaemon with a log", () => {
  /** Verifies a daemon that logs a line for each preview; gives the checks in the order in which they were done, too. */
  async function verifyLogging(lineOf: (url: string) => string, options: Partial<VerifyDaemonOptions> = {}) {
    const folder = mkdtempSync(join(tmpdir(), "verify-daemon-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const logFile = join(folder, "daemon.log");
    writeFileSync(logFile, "started\n");
    const { previewImport } = honestHandlers();
    const order: string[] = [];
    const only = ["case redact-path", "case preview-redirected", "log file"];
    const report = await verifyExample(
      {
        previewImport: (request, context) => {
          appendFileSync(logFile, lineOf(request.url));
          return previewImport(request, context);
        },
      },
      { only, logFile, onCheck: ({ id }) => order.push(id), ...options },
    );
    return { report, order };
  }

  it("searches it after the cases with secrets and before the others", async () => {
    const { report, order } = await verifyLogging(() => "PreviewImport\n");
    expect(order.at(-1)).toBe("case preview-redirected");
    expect(order.at(-2)).toBe("log file");
    expect(order.slice(0, -2).sort()).toEqual([
      "case redact-path",
      "case redact-path-in-error-page",
      "case redact-path-on-apply",
    ]);
    expect(exitCode(report)).toBe(0);
  });

  it("finds a secret in it, and says which rule that breaks", async () => {
    const { report } = await verifyLogging((url) => `PreviewImport ${url}\n`);
    expect(outcomes(report)).toMatchObject({ "log file": "failed", "case redact-path": "passed" });
    const broken = judgeRules(report).rules.filter(({ state }) => state === "broken");
    expect(broken.map(({ id }) => id)).toEqual(expect.arrayContaining(["redaction.logs", "redaction.path"]));
    expect(JSON.stringify(report)).not.toContain(secret);
  });

  it("does not mind that it has the URL of a subscription that was fetched", async () => {
    const { report } = await verifyLogging((url) => (url.includes("Hs4nWq8ZtB") ? `fetched ${url}\n` : "failed\n"));
    expect(exitCode(report)).toBe(0);
  });

  it("counts its check in the plan", async () => {
    const planned: number[] = [];
    const { report } = await verifyLogging(() => "x\n", { onPlanned: (count) => planned.push(count) });
    expect(planned).toEqual([report.checks.length]);
  });

  it.each(["log file", "redaction.logs"])("is searched alone, as %s, after the cases that it needs", async (name) => {
    const made: string[] = [];
    const lineOf = (url: string) => {
      made.push(url);
      return `GET ${url}\n`;
    };
    const { report } = await verifyLogging(lineOf, { only: [name], jobs: 20 });
    expect(outcomes(report)).toEqual({ "log file": "failed" });
    expect(made.some((url) => url.includes(secret))).toBe(true);
    expect(exitCode(report)).toBe(1);
  });

  it("leaves it alone when it is not selected", async () => {
    const { report } = await verifyLogging(() => "", { only: ["case select-nothing"] });
    expect(outcomes(report)).toEqual({ "case select-nothing": "passed" });
    expect(exitCode(report)).toBe(0);
  });

  it("searches it in one of the parts of a run, for the cases of all of them", async () => {
    const only = ["case redact-path", "case redact-query", "log file"];
    const parts = await Promise.all(
      [1, 2].map((index) => verifyLogging((url) => `GET ${url}\n`, { only, shard: { index, of: 2 } })),
    );
    const found = parts.flatMap(({ report }) => report.checks).filter(({ id }) => id === "log file");
    expect(found).toMatchObject([{ outcome: { kind: "failed" } }]);
    const problems = found.flatMap(({ outcome }) => (outcome.kind === "failed" ? outcome.problems : []));
    for (const name of ["redact-path-on-apply", "redact-query-value", "redact-path-in-error-page"])
      expect(problems.join()).toContain(name);
  });

  it("shows nothing when the daemon fetches nothing", async () => {
    const { report } = await verifyLogging(() => "PreviewImport\n", {
      address: (await serveExample({})).address,
      only: ["redaction"],
    });
    const states = judgeRules(report).rules.filter(({ resource }) => resource === "redaction");
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["not-exercised", "untestable"]));
  });

  it("says that nothing was logged", async () => {
    const { report } = await verifyLogging(() => "");
    expect(report.checks.find(({ id }) => id === "log file")?.outcome).toMatchObject({
      kind: "errored",
      reason: expect.stringMatching(/^The daemon wrote nothing to .+daemon\.log while the cases ran$/),
    });
    expect(exitCode(report)).toBe(2);
  });

  it("leaves it alone when the run has ended before", async () => {
    const stop = new AbortController();
    const options = { jobs: 1, signal: stop.signal, onCheck: () => stop.abort() };
    const { report } = await verifyLogging(() => "x\n", options);
    expect(ids(report)).toEqual(["case redact-path"]);
  });

  it("refuses a folder in its place", async () => {
    await expect(verifyExample({}, { only: ["case select-"], logFile: tmpdir() })).rejects.toThrow("is no file");
  });
});
