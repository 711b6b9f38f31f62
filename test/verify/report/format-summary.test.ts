import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatSummary } from "../../../src/verify/report/format-summary.js";
import { textWidth } from "../../../src/verify/report/text-width.js";
import { propertyRuns, propertySeed } from "../../support/property-seed.js";
import { hostileReport } from "./hostile-report.js";
import { failing, sampleCheck, sampleExchange, sampleReport, smallReport } from "./sample-report.js";

describe("formatSummary", () => {
  it("only counts what passes", () => {
    expect(formatSummary(smallReport())).toBe(
      [
        "rules     kept  broken  not exercised  untestable",
        "messages     1       -              1           -",
        "users        -       -              1           1",
        "all          1       -              2           1",
        "",
        "1 check in 12.3 s: 1 passed",
        "",
        "Seed: 42",
        "",
        "PASS  1 rule kept, none broken.",
        "",
      ].join("\n"),
    );
  });

  it("shows of a broken rule its sentence, the check, what is wrong, the command and the answer", () => {
    const rules = ["messages.edit.content-with-stream", "messages.edit.content"];
    const id = "case editMessage/content_with_channel";
    const summary = "The content and the channel at once";
    const text = formatSummary(smallReport({ checks: [sampleCheck({ id, summary, rules, outcome: failing })] }));
    expect(text.slice(0, text.indexOf("rules  "))).toBe(
      [
        "messages.edit.content  FAIL",
        "  The content can be changed.",
        "",
        "  case editMessage/content_with_channel",
        "  The content and the channel at once",
        "    - expected status 400, got 200",
        "    - /result: expected `error`, got `success`",
        "",
        `    $ ${sampleExchange.command}`,
        "",
        "    | HTTP/1.1 200 OK",
        "    | Content-Type: application/json",
        "    | ",
        '    | {"result":"success","msg":"","ignored_parameters_unsupported":[]}',
        "",
        "messages.edit.content-with-stream  FAIL",
        "  Sending `content` together with `stream_id` is an error.",
        "",
        "  case editMessage/content_with_channel: see messages.edit.content",
        "",
        "",
      ].join("\n"),
    );
    expect(text).toContain("--only 'case editMessage/content_with_channel' --seed 42");
    expect(text).toMatch(/\nFAIL {2}2 rules broken\.\n$/);
  });

  it("shows a failure that breaks no rule under its operation", () => {
    const text = formatSummary(smallReport({ checks: [sampleCheck({ rules: [], outcome: failing })] }));
    expect(text).toMatch(/^editMessage {2}FAIL\n\n {2}case editMessage\/content\n/);
  });

  it("shows of what is known to fail the reason only", () => {
    const knownFailing = new Map([["case editMessage/content", "Issue 12"]]);
    const text = formatSummary(smallReport({ checks: [sampleCheck({ outcome: failing })], knownFailing }));
    expect(text).toMatch(
      /^messages\.edit\.content {2}KNOWN TO FAIL\n {2}The content can be changed\.\n {2}case editMessage\/content: Issue 12\n\nrules/,
    );
    expect(text).toContain("1 check in 12.3 s: 1 known to fail");
    expect(text).toMatch(/PASS {2}1 rule broken, all of it known\.\n$/);
  });

  it("shows what is out of date on the list, with similar names", () => {
    const knownFailing = new Map([
      ["case editMessage/content", "Issue 12"],
      ["case editMessage/contend", "Issue 13"],
    ]);
    const text = formatSummary(smallReport({ knownFailing }));
    expect(text).toContain(
      "case editMessage/content  OUT OF DATE\n  It is listed as known to fail, and passes. Remove it from the list.\n  Reason given: Issue 12\n",
    );
    expect(text).toContain(
      "case editMessage/contend  OUT OF DATE\n  It is listed as known to fail, and no check has this name.\n  Similar names:\n    case editMessage/content\n  Reason given: Issue 13\n",
    );
  });

  it("shows what could not run, what helps, and that no answer came", () => {
    const { command, request } = sampleExchange;
    const outcome = {
      kind: "errored",
      reason: "The server is gone.",
      help: "Start it.",
      trace: [{ command, request }],
    } as const;
    const text = formatSummary(smallReport({ checks: [sampleCheck({ outcome })] }));
    expect(text).toContain("case editMessage/content  COULD NOT RUN\n");
    expect(text).toContain(`    The server is gone.\n    Start it.\n\n    $ ${command}\n\n    | no answer\n`);
  });

  it("groups what was left out by its reason", () => {
    const reasons = ["no uploads", "no states", "no states"];
    const checks = reasons.map((reason, index) =>
      sampleCheck({ id: `c${index}`, outcome: { kind: "left-out", reason } }),
    );
    expect(formatSummary(smallReport({ checks }))).toContain(
      "3 checks in 12.3 s: 3 left out\n  2 left out: no states\n  1 left out: no uploads\n",
    );
  });

  it("shortens long answers and long lists of problems", () => {
    const response = Array.from({ length: 50 }, (_, line) => `line ${line} ${"x".repeat(300)}`).join("\n");
    const problems = Array.from({ length: 30 }, (_, number) => `problem ${number}`);
    const outcome = { kind: "failed", problems, trace: [{ ...sampleExchange, response }] } as const;
    const text = formatSummary(smallReport({ checks: [sampleCheck({ outcome })] }), { columns: 80 });
    expect(text).toContain("- problem 9\n      and 20 more\n");
    expect(text).toContain("    | … 36 more lines\n");
    expect(text).toMatch(/\| line 0 x+…\n/);
  });

  it.each([60, 80, 100])("keeps to %i columns, except for commands and long words", async (columns) => {
    const report = await sampleReport();
    const lines = formatSummary(report, { columns }).split("\n");
    // Commands are left whole, and a name is not broken.
    const isWhole = /^ {4}\$ |--only | {2}(FAIL|OUT OF DATE|KNOWN TO FAIL|COULD NOT RUN)$|^ *\S+$/;
    expect(lines.filter((line) => textWidth(line) > columns && !isWhole.test(line))).toEqual([]);
  });

  it("uses colours only when asked, and the same text", async () => {
    const report = await sampleReport();
    const [plain, coloured] = [formatSummary(report), formatSummary(report, { colours: true })];
    expect(plain).not.toContain("\x1b");
    expect(coloured).toContain("\x1b[31mFAIL\x1b[39m");
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });

  it.each([
    ["an escape sequence", "\x1b[31mred\x1b]0;title\x07"],
    ["a C1 control sequence", "\x9b31m"],
    ["carriage returns and backspaces", "PASS\rFAIL\b\b\x7f"],
    ["bidirectional controls", "\u202egnp.exe\u2066"],
    ["zero-width characters and separators", "a\u200bb\u2028c\ufeffd"],
    ["lone surrogates", "\ud800 and \udc00"],
    ["NUL", "a\0b"],
  ])("never lets %s from a server reach the terminal", (_, text) => {
    const summary = formatSummary(hostileReport(text));
    expect(summary).not.toMatch(/[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    expect(summary).toMatch(/\\u\{[0-9a-f]+\}/);
  });

  it("lets no control character through, whatever the texts and the width", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
            fc.constantFrom("\x1b", "\r", "\n", " "),
          ),
        }),
        fc.integer({ min: -5, max: 120 }),
        (text, columns) => {
          expect(formatSummary(hostileReport(text), { columns })).not.toMatch(
            /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u,
          );
        },
      ),
      { seed: propertySeed, numRuns: propertyRuns(150) },
    );
  });
});
