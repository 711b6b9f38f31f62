import { describe, expect, it } from "vitest";
import { exitCode, toJsonReport } from "../../../src/report/model/to-json-report.js";
import type { VerifyReport } from "../../../src/report/model/verify-report.js";
import { mergeReports, type ShardReport } from "../../../src/verify/rest/merge-reports.js";
import { failing, sampleCheck, smallReport } from "../../report/sample-report.js";

const shouldRule = { id: "users.order", text: "Users are in order.", resource: "users", strength: "should" } as const;

function shard(index: number, different: Partial<VerifyReport> = {}): ShardReport {
  const shardOf = { index, of: 2, checks: 2, restricted: false };
  const report = smallReport({ shard: shardOf, partial: true, serverVersion: "9.0", ...different });
  return { name: `shard-${index}.json`, report };
}

const one = (different: Partial<VerifyReport> = {}) =>
  shard(1, { checks: [sampleCheck({ id: "case a" })], ...different });
const two = (different: Partial<VerifyReport> = {}) =>
  shard(2, { checks: [sampleCheck({ id: "case b" })], ...different });

describe("mergeReports", () => {
  it("joins shards in any order into the report of a whole run", async () => {
    const merged = await mergeReports([
      two({ startedAt: "2026-03-01T10:00:00.000Z", durationMs: 900, target: "http://b" }),
      one({ startedAt: "2026-03-01T09:00:00.000Z", durationMs: 400, target: "http://a" }),
    ]);
    expect(merged.checks.map(({ id }) => id)).toEqual(["case a", "case b"]);
    expect(merged).toMatchObject({
      partial: false,
      stopped: false,
      startedAt: "2026-03-01T09:00:00.000Z",
      durationMs: 900,
      target: "http://b, http://a",
      serverVersion: "9.0",
    });
    expect(merged.shard).toBeUndefined();
    expect(exitCode(merged)).toBe(0);
  });

  it("fails if one shard fails", async () => {
    const merged = await mergeReports([one(), two({ checks: [sampleCheck({ id: "case b", outcome: failing })] })]);
    expect(exitCode(merged)).toBe(1);
  });

  it("gives no verdict if one shard was stopped", async () => {
    const merged = await mergeReports([one(), two({ stopped: true, checks: [] })]);
    expect(exitCode(merged)).toBe(2);
  });

  it("stays partial if only some checks were selected", async () => {
    const restricted = { index: 1, of: 1, checks: 1, restricted: true };
    expect((await mergeReports([one({ shard: restricted })])).partial).toBe(true);
  });

  it("skips a check that relies on a recommendation that another shard found broken", async () => {
    const rules = [...smallReport().rules, shouldRule];
    const deviates = { kind: "deviated", problems: ["wrong order"], broken: [shouldRule.id], trace: [] } as const;
    const merged = await mergeReports([
      one({ rules, checks: [sampleCheck({ id: "case a", rules: [shouldRule.id], outcome: deviates })] }),
      two({ rules, checks: [sampleCheck({ id: "case b", reliesOn: [shouldRule.id], outcome: failing })] }),
    ]);
    expect(merged.checks[1]?.outcome).toEqual({
      kind: "skipped",
      reason: "it relies on users.order, which the server does not follow",
    });
    expect(exitCode(merged)).toBe(0);
  });

  it("keeps outdated entries of the known-failing list", async () => {
    const knownFailing = new Map([["case c", "was removed"]]);
    const merged = await mergeReports([one({ knownFailing }), two({ knownFailing })]);
    expect(toJsonReport(merged).stale).toMatchObject([{ name: "case c", why: "unknown" }]);
  });

  it.each<[string, readonly ShardReport[], string]>([
    ["no report", [], "There is no report to merge"],
    ["a missing shard", [one()], "Missing: shard 2/2. Give its report, too"],
    ["a shard given twice", [one(), two(), one()], "Shard 1/2 is given twice: shard-1.json, shard-1.json"],
    [
      "another contract",
      [one(), two({ contract: "daemon" })],
      "the contract differs: chat in shard-1.json, daemon in shard-2.json",
    ],
    ["another version of the contract", [one(), two({ version: "0.3.0" })], "the version of the contract differs"],
    [
      "another version of the package",
      [one({ packageVersion: "0.2.0" }), two({ packageVersion: "0.2.1" })],
      "the version of accord-contracts differs: 0.2.0 in shard-1.json, 0.2.1 in shard-2.json",
    ],
    ["another level", [one(), two({ level: 1 })], "the feature level differs: 379 in shard-1.json, 1 in shard-2.json"],
    ["another seed", [one(), two({ seed: 7 })], "the seed (--seed) differs: 42 in shard-1.json, 7 in shard-2.json"],
    [
      "another server version",
      [one(), two({ serverVersion: "9.1" })],
      "the version of the server differs: 9.0 in shard-1.json",
    ],
    ["--strict in one shard only", [one(), two({ strict: true })], "--strict differs: unknown in shard-1.json, true"],
    [
      "another number of shards",
      [one(), two({ shard: { index: 2, of: 3, checks: 2, restricted: false } })],
      "shard-1.json is one of 2 with 2 checks together, and shard-2.json is one of 3 with 2 checks together",
    ],
    [
      "another selection of checks",
      [one(), two({ shard: { index: 2, of: 2, checks: 9, restricted: true } })],
      "shard-2.json is one of 2 with 9 checks together",
    ],
    [
      "the same check in two shards",
      [one(), two({ checks: [sampleCheck({ id: "case a" })] })],
      "case a ran in shard-1.json and shard-2.json: give all shards the same --timings",
    ],
    ["missing checks", [one(), two({ checks: [] })], "The shards ran 1 of 2 checks: run them without --bail"],
  ])("rejects %s", async (_, parts, want) => {
    await expect(mergeReports(parts)).rejects.toThrow(want);
  });

  it("rejects the report of a run without shards", async () => {
    await expect(mergeReports([{ name: "report.json", report: smallReport() }])).rejects.toThrow(
      "report.json is not the report of a shard (--shard i/n)",
    );
  });
});
