import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { formatCtrf } from "../../src/report/format-ctrf.js";
import { formatJunit } from "../../src/report/format-junit.js";
import { formatMarkdown } from "../../src/report/format-markdown.js";
import { formatSummary } from "../../src/report/format-summary.js";
import { formatHtml } from "../../src/report/html/format-html.js";
import { formatJson, modelOf, toJsonReport } from "../../src/report/model/to-json-report.js";
import { fromJsonReport, readJsonReport } from "../../src/report/read-json-report.js";
import { formatKnownFailing } from "../../src/verify/known-failing.js";
import { hostileReport } from "./hostile-report.js";
import { sampleCheck, sampleReport, smallReport, trafficReport, unfinishedReport } from "./sample-report.js";

const folder = mkdtempSync(join(tmpdir(), "accord-reports-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(text: string): string {
  const file = join(folder, `report-${Math.random()}.json`);
  writeFileSync(file, text);
  return file;
}

const whole = await sampleReport();

const everyMember = smallReport({
  strict: true,
  stopped: true,
  partial: true,
  packageVersion: "0.2.0",
  serverVersion: "9.0",
  shard: { index: 2, of: 3, checks: 1620, restricted: true },
  minExercised: 70,
  waitedMs: 2000,
  checks: [
    sampleCheck({
      reliesOn: ["users.me.email"],
      outcome: { kind: "failed", problems: ["wrong"], letThrough: true, forbidden: true, shown: [], trace: [] },
    }),
    sampleCheck({ id: "case b", outcome: { kind: "deviated", problems: ["other"], broken: ["a"], trace: [] } }),
    sampleCheck({ id: "case c", outcome: { kind: "passed", shown: [], reason: "empty" } }),
  ],
});

describe.each([
  ["a small report", smallReport()],
  ["a report of a whole contract", whole],
  // Known-failing entries are compared with all names, of which the file lists only some.
  ["a partial report", { ...whole, partial: true, existing: new Set(["case editMessage/content_with_channels"]) }],
  ["an inconclusive report", smallReport({ checks: [sampleCheck({ outcome: { kind: "passed", shown: [] } })] })],
  ["texts of a hostile server", hostileReport("`\u001b[31m\u202e</script>")],
  ["traffic", trafficReport],
  ["operations and needs", unfinishedReport],
  ["every member", everyMember],
])("a file with %s", (_, report) => {
  const read = () => readJsonReport(written(formatJson(report)));

  it.each(Object.entries({ formatJson, formatSummary, formatMarkdown, formatJunit, formatCtrf, formatHtml }))(
    "looks like the fresh report in %s",
    async (_, format) => expect(format(await read())).toBe(format(report)),
  );

  it("gives the same model without the members that versions before 0.3 lacked", async () => {
    const { verdict: _, ...older } = await read();
    expect(modelOf(older)).toEqual(toJsonReport(report));
  });

  it("becomes the result of the run again", async () => {
    const json = await read();
    const { stale, ...again } = toJsonReport(fromJsonReport(json));
    expect({ ...again, stale: stale.map(({ name, why }) => [name, why]) }).toEqual({
      ...json,
      stale: json.stale.map(({ name, why }) => [name, why]),
    });
  });
});

it("reads a file whose checks lack the details of their outcome", async () => {
  const outcomes = ["passed", "failed", "deviated", "skipped", "errored"] as const;
  const verdicts = ["passed", "failed", "deviating", "skipped", "errored"];
  const [check] = toJsonReport(smallReport()).checks;
  const checks = outcomes.map((outcome) => ({ ...check, id: outcome, outcome }));
  const json = await readJsonReport(written(JSON.stringify({ ...toJsonReport(smallReport()), checks })));
  const report = fromJsonReport(json);
  expect(toJsonReport(report).checks.map(({ verdict }) => verdict)).toEqual(verdicts);
  expect(formatKnownFailing(report)).toContain("failed");
  expect(formatHtml(json)).toContain("deviated");
});

describe("readJsonReport", () => {
  it.each([
    ["{", "is not JSON"],
    ["[]", "is not a report of this version of accord verify --json: the top level must be object"],
    ["{}", "the top level must have required property 'format'"],
    [JSON.stringify({ ...toJsonReport(smallReport()), format: 2 }), "/format must be equal to constant"],
    [JSON.stringify({ ...toJsonReport(smallReport()), checks: [{}] }), "/checks/0 must have required property"],
  ])("rejects the file %.40s", async (text, want) => {
    await expect(readJsonReport(written(text))).rejects.toThrow(want);
  });

  it("names a file that does not exist", async () => {
    await expect(readJsonReport(join(folder, "none.json"))).rejects.toThrow(
      /^The report .*none\.json cannot be read: ENOENT/,
    );
  });
});
