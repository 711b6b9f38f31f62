import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { toJsonReport } from "../../../src/verify/report/format-json.js";
import { fromJsonReport } from "../../../src/verify/report/from-json-report.js";
import { readJsonReport } from "../../../src/verify/report/read-json-report.js";
import { hostileReport } from "./hostile-report.js";
import { sampleCheck, sampleReport, smallReport } from "./sample-report.js";

const folder = mkdtempSync(join(tmpdir(), "accord-reports-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(text: string): string {
  const file = join(folder, `report-${Math.random()}.json`);
  writeFileSync(file, text);
  return file;
}

const whole = await sampleReport();

describe("fromJsonReport", () => {
  it.each([
    ["a small report", smallReport()],
    ["a report of a whole contract", whole],
    ["texts of a hostile server", hostileReport("`\u001b[31m\u202e</script>")],
    [
      "every member",
      smallReport({
        strict: true,
        stopped: true,
        partial: true,
        packageVersion: "0.2.0",
        serverVersion: "9.0",
        shard: { index: 2, of: 3, checks: 1620, restricted: true },
        minExercised: 70,
        checks: [
          sampleCheck({
            reliesOn: ["users.me.email"],
            outcome: { kind: "failed", problems: ["wrong"], letThrough: true, forbidden: true, shown: [], trace: [] },
          }),
          sampleCheck({ id: "case b", outcome: { kind: "deviated", problems: ["other"], broken: ["a"], trace: [] } }),
          sampleCheck({ id: "case c", outcome: { kind: "passed", shown: [], reason: "empty" } }),
        ],
      }),
    ],
  ])("reads back what toJsonReport writes: %s", async (_, report) => {
    const json = toJsonReport(report);
    const read = await readJsonReport(written(JSON.stringify(json)));
    expect(toJsonReport(fromJsonReport(read))).toEqual(json);
  });
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
