import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonReportSchema } from "../../../src/report/model/json-report.js";
import { formatJson, toJsonReport } from "../../../src/report/model/to-json-report.js";
import { propertyRuns, propertySeed } from "../../support/property-seed.js";
import { hostileReport } from "../hostile-report.js";
import { failing, sampleCheck, sampleReport, smallReport } from "../sample-report.js";

const ajv = new Ajv2020({ strict: true, allErrors: true });
formats.default(ajv);
const validate = ajv.compile(jsonReportSchema);

describe("formatJson", () => {
  it("writes the documented format", () => {
    const { exitCode, totals, rules, checks, ...about } = JSON.parse(formatJson(smallReport()));
    expect(about).toEqual({
      format: 1,
      contract: "chat",
      version: "0.1.0",
      target: "http://127.0.0.1:4011/api/v1",
      level: 379,
      seed: 42,
      strict: false,
      partial: false,
      stopped: false,
      startedAt: "2026-03-01T10:20:30.400Z",
      durationMs: 12_345,
      verdict: { word: "PASS", sentence: "1 rule kept, none broken, 2 not exercised." },
      exercise: { exercised: 1, exercisable: 1, percent: 100, minPercent: 50 },
      needs: [],
      stale: [],
    });
    expect(exitCode).toBe(0);
    expect(totals).toEqual({
      rules: { kept: 1, broken: 0, deviating: 0, "not-exercised": 2, untestable: 1 },
      checks: { passed: 1, failed: 0, deviating: 0, expected: 0, stale: 0, skipped: 0, errored: 0 },
    });
    expect(rules[0]).toEqual({
      id: "messages.edit.content",
      text: "The content can be changed.",
      strength: "must",
      resource: "messages",
      state: "kept",
      checks: ["case editMessage/content"],
    });
    expect(rules[1]).toMatchObject({ source: "Edit a message, rule 1" });
    expect(checks).toEqual([
      {
        id: "case editMessage/content",
        kind: "case",
        operation: "editMessage",
        summary: "The content of a message",
        rules: ["messages.edit.content"],
        verdict: "passed",
        outcome: "passed",
        durationMs: 12,
      },
    ]);
  });

  it("holds the details of each outcome", () => {
    const { trace, problems } = failing;
    const checks = [
      sampleCheck({ id: "a", outcome: { ...failing } }),
      sampleCheck({ id: "b", outcome: { kind: "skipped", reason: "no states" } }),
      sampleCheck({ id: "c", outcome: { kind: "errored", reason: "gone", help: "start it", trace: [] } }),
    ];
    const [a, b, c] = toJsonReport(smallReport({ checks, knownFailing: new Map([["a", "Issue 1"]]) })).checks;
    expect(a).toMatchObject({
      verdict: "expected",
      knownFailing: "Issue 1",
      problems,
      broken: ["messages.edit.content"],
      trace,
    });
    expect(b).toMatchObject({ verdict: "skipped", reason: "no states" });
    expect(c).toMatchObject({ verdict: "errored", reason: "gone", help: "start it", trace: [] });
  });

  it("says that the run was stopped, and omits an undefined seed", () => {
    const { seed: _, ...report } = smallReport({ stopped: true, partial: true });
    const read = JSON.parse(formatJson(report));
    expect(read).toMatchObject({ stopped: true, partial: true, exitCode: 2 });
    expect(read).not.toHaveProperty("seed");
    validate(read);
    expect(validate.errors).toBeNull();
  });

  it("conforms to its schema, and is deterministic", async () => {
    const report = await sampleReport();
    const text = formatJson(report);
    validate(JSON.parse(text));
    expect(validate.errors).toBeNull();
    expect(formatJson(await sampleReport())).toBe(text);
    expect(text.endsWith("}\n")).toBe(true);
  });

  it("conforms to its schema with any texts", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
        (text) => {
          const { level: _, ...report } = hostileReport(text);
          const read = JSON.parse(formatJson(report));
          validate(read);
          expect(validate.errors).toBeNull();
          expect(read.checks[0].trace[0].response).toBe(text);
        },
      ),
      { seed: propertySeed, numRuns: propertyRuns(100) },
    );
  });

  it.each([
    ["a missing member", { stopped: undefined }],
    ["an unknown member", { more: 1 }],
    ["another format", { format: 2 }],
  ])("has a schema that rejects %s", (_, different) => {
    expect(validate(JSON.parse(JSON.stringify({ ...toJsonReport(smallReport()), ...different })))).toBe(false);
  });
});
