import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatSummary } from "../../src/report/format-summary.js";
import type { CheckOutcome } from "../../src/report/model/check-result.js";
import type { ReportedRule, VerifyReport } from "../../src/report/model/verify-report.js";
import { textWidth } from "../../src/text/text-width.js";
import { propertyRuns, propertySeed } from "../support/property-seed.js";
import { hostileReport } from "./hostile-report.js";
import { failing, sampleCheck, sampleExchange, sampleReport, smallReport } from "./sample-report.js";

describe("formatSummary", () => {
  it("only counts passed checks", () => {
    expect(formatSummary(smallReport())).toBe(
      [
        "rules     kept  broken  deviating  not exercised  untestable",
        "messages     1       -          -              1           -",
        "users        -       -          -              1           1",
        "all          1       -          -              2           1",
        "",
        "1 check in 12.3 s: 1 passed",
        "1 of 1 rule that these checks can show exercised (100 %)",
        "",
        "chat 0.1.0 at http://127.0.0.1:4011/api/v1, feature level 379",
        "Seed: 42",
        "",
        "PASS  1 rule kept, none broken, 2 not exercised.",
        "",
      ].join("\n"),
    );
  });

  it("shows the text and source of a broken rule, the check, its problems, the command and the response", () => {
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
        "  A request with both `content` and `stream_id` is an error.",
        "  Source: Edit a message, rule 1",
        "",
        "  case editMessage/content_with_channel: see messages.edit.content",
        "",
        "",
      ].join("\n"),
    );
    expect(text).toContain("--only 'case editMessage/content_with_channel' --seed 42");
    expect(text).toMatch(/\nFAIL {2}2 rules broken\.\n$/);
  });

  const id = "case editMessage/content";
  const { command, request } = sampleExchange;
  const checks = (...outcomes: CheckOutcome[]) =>
    outcomes.map((outcome, index) => sampleCheck({ id: index === 0 ? id : `c${index}`, outcome }));
  const answering = (response: string) => checks({ ...failing, trace: [{ ...sampleExchange, response }] });
  const skipped = (reason: string): CheckOutcome => ({ kind: "skipped", reason });
  const longCommand = `curl --data-raw ${"c".repeat(10_000)} http://127.0.0.1/`;
  const [content, ...otherRules] = smallReport().rules;

  it.each<[string, Partial<VerifyReport>, ...(string | RegExp)[]]>([
    [
      "how much of the time was spent waiting",
      { waitedMs: 8_040 },
      "1 check in 12.3 s, of which 8.0 s waiting for time limits: 1 passed",
    ],
    ["no waiting below a second", { waitedMs: 20 }, "1 check in 12.3 s: 1 passed"],
    [
      "a recommendation that is not followed",
      {
        rules: [{ ...content, strength: "should" } as ReportedRule, ...otherRules],
        checks: checks({ ...failing, kind: "deviated", broken: ["messages.edit.content"] }),
      },
      "messages.edit.content  DEVIATES\n  The content can be changed.\n",
      "messages     -       -          1              1           -\n",
      "1 check in 12.3 s: 1 deviating\n",
      "PASS  0 rules kept, none broken, 1 recommendation not followed, 2 not exercised.\n",
    ],
    [
      "a failure that breaks no rule under its operation",
      { checks: [sampleCheck({ rules: [], outcome: failing })] },
      /^editMessage {2}FAIL\n\n {2}case editMessage\/content\n/,
    ],
    [
      "only the reason of known failures",
      { checks: checks(failing), knownFailing: new Map([[id, "Issue 12"]]) },
      /^KNOWN TO FAIL {2}1 check\n {2}case editMessage\/content: Issue 12\n\nrules/,
      "1 check in 12.3 s: 1 known to fail",
      /PASS {2}1 rule broken, all known, 2 not exercised\.\n$/,
    ],
    [
      "outdated known-failing entries with similar names",
      {
        knownFailing: new Map([
          [id, "Issue 12"],
          ["case editMessage/contend", "Issue 13"],
        ]),
      },
      `${id}  OUT OF DATE\n  It is listed as known to fail, but passes. Remove it from the list.\n  Reason given: Issue 12\n`,
      `case editMessage/contend  OUT OF DATE\n  It is listed as known to fail, but no check has this name.\n  Similar names: ${id}\n  Reason given: Issue 13\n`,
    ],
    [
      "checks that could not run, with help, and marks a missing response",
      {
        checks: checks({
          kind: "errored",
          reason: "The server is gone.",
          help: "Start it.",
          trace: [{ command, request }],
        }),
      },
      `${id}  COULD NOT RUN\n`,
      `    The server is gone.\n    Start it.\n\n    $ ${command}\n\n    | no answer\n`,
    ],
    [
      "skipped checks by reason",
      { checks: checks(skipped("no uploads"), skipped("no states"), skipped("no states")) },
      "3 checks in 12.3 s: 3 skipped\n  2 skipped: no states\n  1 skipped: no uploads\n",
    ],
    [
      "the beginning of a long list of problems",
      { checks: checks({ ...failing, problems: Array.from({ length: 30 }, (_, number) => `problem ${number}`) }) },
      "- problem 9\n      and 20 more\n",
    ],
    [
      "the beginning of a long response",
      { checks: answering(Array.from({ length: 50 }, (_, line) => `line ${line}`).join("\n")) },
      "    | line 15\n    | … 34 more lines\n",
    ],
    [
      "the beginning of a very long command",
      { checks: checks({ ...failing, trace: [{ ...sampleExchange, command: longCommand }] }) },
      /^ {4}\$ curl --data-raw c{184}…\n {6}The command has 10,034 characters; --html FILE has it whole\.$/m,
    ],
    [
      "the beginning of a long line",
      { checks: answering("y".repeat(100_000)) },
      /(?: {4}\| y{94}\n){16} {4}\| … the rest of this line\n/,
    ],
    [
      "how many lines follow a long line",
      { checks: answering(`${"y".repeat(100_000)}\na\nb`) },
      "    | … the rest of this line, and 2 more lines\n",
    ],
    [
      "what was verified, and that the run was partial",
      { target: "unix:/d.sock", partial: true },
      /\n\nchat 0\.1\.0 at unix:\/d\.sock, feature level 379, some checks only\nSeed: 42\n\nPASS/,
    ],
    ["level 0", { level: 0 }, "feature level 0\n"],
  ])("shows %s", (_, different, ...want) => {
    const text = formatSummary(smallReport(different));
    for (const part of want) expect(text).toMatch(part);
  });

  it("omits an undefined level and seed", () => {
    const { level: _, seed: __, ...report } = smallReport({ checks: checks(failing) });
    expect(formatSummary(report)).toMatch(
      /\n\nchat 0\.1\.0 at \S+\nTo run a check again, add: --only 'case editMessage\/content'\n\nFAIL/,
    );
  });

  it("shows the commands of earlier calls without their responses, and only counts the calls if there are many", () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...sampleExchange,
        command: `curl /${index}`,
        response: `answer ${index}`,
      }));
    const shown = (count: number) =>
      formatSummary(smallReport({ checks: [sampleCheck({ outcome: { ...failing, trace: calls(count) } })] }));
    expect(shown(3)).toContain("\n    $ curl /0\n    $ curl /1\n    $ curl /2\n\n    | answer 2\n");
    expect(shown(20)).toContain("    After 19 calls, which --html FILE shows:\n    $ curl /19\n\n    | answer 19\n");
    expect(shown(20)).not.toContain("curl /18");
  });

  it("indents the comment of a command, and breaks a response between tokens", () => {
    const trace = [{ ...sampleExchange, command: "buf curl\n# Or: accord", response: "token-0123456789, ".repeat(10) }];
    const text = formatSummary(smallReport({ checks: [sampleCheck({ outcome: { ...failing, trace } })] }));
    expect(text).toContain("\n    $ buf curl\n      # Or: accord\n");
    expect(text).toContain(`\n    | ${"token-0123456789, ".repeat(5).trimEnd()}\n    | token-0123456789,`);
  });

  it("breaks long lines of a response, so that their ends are shown", () => {
    const start = "x".repeat(70);
    const response = `{"message":"${start} cannot fetch http://127.0.0.1:35219/***"}\nnext`;
    const outcome = { ...failing, trace: [{ ...sampleExchange, response }] };
    const lines = formatSummary(smallReport({ checks: [sampleCheck({ outcome })] }), { columns: 80 }).split("\n");
    const answer = lines.filter((line) => line.startsWith("    | "));
    expect(answer.map((line) => line.slice(6)).join("")).toBe(response.replace("\n", ""));
    expect(answer.length).toBe(3);
  });

  describe("with many failures", () => {
    const fails = (...problems: string[]) => ({ ...failing, problems });
    const manyRules = Array.from({ length: 273 }, (_, index) => ({
      id: `messages.rule-${index}`,
      text: `Sentence ${index}.`,
      resource: "messages",
    }));

    it("describes one check of a rule, and counts the others with the same problems", () => {
      const checks = Array.from({ length: 7 }, (_, index) => sampleCheck({ id: `case ${index}`, outcome: failing }));
      const text = formatSummary(smallReport({ checks }));
      expect(text.match(/\$ curl/g)).toHaveLength(1);
      expect(text).toContain("\n\n  the same in 6 more checks: case 1, case 2, case 3 and 3 more\n\nrules");
    });

    it("shows the first problem of the others", () => {
      const outcomes = [fails("a"), fails("b", "c"), fails("b", "c"), fails("d")];
      const checks = outcomes.map((outcome, index) => sampleCheck({ id: `case ${index}`, outcome }));
      const text = formatSummary(smallReport({ checks }));
      expect(text).toContain("\n\n  case 1 and 1 more: b\n  case 3: d\n\nrules");
    });

    it("counts the rest if there are too many kinds of problems", () => {
      const checks = Array.from({ length: 30 }, (_, index) =>
        sampleCheck({ id: `case ${index}`, outcome: fails(`problem ${index}`) }),
      );
      expect(formatSummary(smallReport({ checks }))).toContain("  case 5: problem 5\n  and 24 more checks\n");
    });

    it("describes some of the broken rules, and lists all at the end", () => {
      const checks = manyRules.flatMap(({ id }, index) =>
        [1, 2, 3].map((number) =>
          sampleCheck({ id: `case ${index}/${number}`, rules: [id], outcome: fails(`problem of ${index}`) }),
        ),
      );
      const text = formatSummary(smallReport({ rules: manyRules, checks }));
      expect(text.match(/ {2}FAIL$/gm)).toHaveLength(20);
      expect(text).toContain("253 more are listed below. --html FILE describes each of them.\n");
      const list = text.slice(text.indexOf("\nbroken\n"), text.indexOf("\nchat 0.1.0")).match(/messages\.rule-\d+/g);
      expect(list).toEqual(manyRules.map(({ id }) => id));
      expect(text.split("\n").length).toBeLessThan(600);
    });

    it("omits the list of broken rules if there is only one", () => {
      expect(formatSummary(smallReport({ checks: [sampleCheck({ outcome: failing })] }))).not.toMatch(/^broken$/m);
    });

    it("collapses known failures with the same reason, and shows them beside new failures", () => {
      const checks = Array.from({ length: 301 }, (_, index) => sampleCheck({ id: `case ${index}`, outcome: failing }));
      const knownFailing = new Map(
        checks.slice(1).map(({ id }, index) => [id, index < 280 ? "Issue 12" : `Issue ${index}`]),
      );
      const text = formatSummary(smallReport({ checks, knownFailing }));
      expect(text).toContain("KNOWN TO FAIL  300 checks\n  case 1 and 279 more: Issue 12\n  case 281: Issue 280\n");
      expect(text).toContain("\n  and 11 more reasons\n");
      expect(text).toMatch(/^messages\.edit\.content {2}FAIL$/m);
      expect(text).not.toContain("the same in");
      expect(text.split("\n").length).toBeLessThan(50);
    });

    it("merges checks that could not run for the same reason", () => {
      const checks = Array.from({ length: 43 }, (_, index) => {
        const reason = index < 41 ? "The daemon cannot be reached" : `other ${index}`;
        return sampleCheck({ id: `case ${index}`, outcome: { kind: "errored", reason, help: "Start it", trace: [] } });
      });
      const text = formatSummary(smallReport({ checks }));
      expect(text.match(/COULD NOT RUN$/gm)).toHaveLength(3);
      expect(text).toContain("\n\n  40 more checks for the same reason: case 1, case 2, case 3 and 37 more\n\ncase 41");
    });

    it("shows only some of the reasons and outdated entries", () => {
      const checks = Array.from({ length: 50 }, (_, index) =>
        sampleCheck({ id: `case ${index}`, outcome: { kind: "errored", reason: `reason ${index}`, trace: [] } }),
      );
      const knownFailing = new Map(Array.from({ length: 50 }, (_, index) => [`gone ${index}`, "old"]));
      const text = formatSummary(smallReport({ checks, knownFailing }));
      expect(text).toContain("30 more checks could not run. --html FILE describes each.\n");
      expect(text).toContain("30 more entries out of date. --write-known-failing FILE writes the list anew.\n");
    });
  });

  it("says that the run was stopped", () => {
    const text = formatSummary(smallReport({ stopped: true, partial: true }), { colours: true, columns: 120 });
    expect(stripVTControlCharacters(text)).toMatch(
      /\nSTOPPED {2}The run was stopped before it was complete\. So far: 1 rule kept, none broken, 2 not exercised\.\n$/,
    );
  });

  it.each([60, 80, 100])("fits into %i columns, except for commands and long words", async (columns) => {
    const report = await sampleReport();
    const lines = formatSummary(report, { columns }).split("\n");
    // Commands and names are not broken.
    const isWhole = /^ {4}\$ |--only | {2}(FAIL|OUT OF DATE|KNOWN TO FAIL|COULD NOT RUN)$|^ *\S+$/;
    expect(lines.filter((line) => textWidth(line) > columns && !isWhole.test(line))).toEqual([]);
  });

  it("uses colours only on request, without changing the text", async () => {
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
  ])("keeps %s of a server from the terminal", (_, text) => {
    const summary = formatSummary(hostileReport(text));
    expect(summary).not.toMatch(/[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    expect(summary).toMatch(/\\u\{[0-9a-f]+\}/);
  });

  it("never writes a control character", () => {
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
