import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readWorkflows } from "../../../../src/contract/chat/workflows.js";
import { runRespect } from "../../../../src/verify/chat/workflows/respect-process.js";

/** Runs workflows with a script instead of Redocly. In the script, `report` is the path of the report file. */
function runScript(code: string) {
  const folder = mkdtempSync(join(tmpdir(), "accord-respect-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "behaviour"));
  const script = join(folder, "redocly.cjs");
  const start = `const { writeFileSync } = require("node:fs");
const report = process.argv[process.argv.indexOf("--json-output") + 1];
console.log("  Running workflow behaviour/channels.arazzo.yaml / subscriptions-remove-twice");
`;
  writeFileSync(script, start + code);
  const apiUrl = "http://127.0.0.1:1/api/v1";
  const workflows = readWorkflows().slice(0, 1);
  return runRespect(workflows, "part", {
    ...{ script, folder, apiUrl, timeoutMs: 300_000 },
    signal: new AbortController().signal,
  });
}

describe("runRespect", () => {
  it("ignores a report that is incomplete because respect was killed", async () => {
    const code = `writeFileSync(report, '{"files":{"a":{"executedWorkflows":[{"workflowId":');
process.kill(process.pid, "SIGKILL");`;
    expect(await runScript(code)).toEqual({
      end: "it ended with signal SIGKILL",
      started: [{ workflowId: "subscriptions-remove-twice", isUnanswered: false, isOver: false }],
    });
  });

  it("reads a report without recorded responses", async () => {
    const report = { files: { a: { executedWorkflows: [], secretValues: ["x"] } } };
    const { end, report: read } = await runScript(`writeFileSync(report, '${JSON.stringify(report)}');`);
    expect([end, read]).toEqual(["it ended with exit code 0", report]);
  });
});
