import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckOutcome } from "../../src/report/model/check-result.js";
import {
  formatKnownFailing,
  KnownFailingError,
  parseKnownFailing,
  readKnownFailing,
} from "../../src/verify/known-failing.js";
import { failing, sampleCheck, smallReport } from "../report/sample-report.js";
import { anyCharacter } from "../support/any-character.js";
import { propertyRuns, propertySeed } from "../support/property-seed.js";

function messageOf(text: string): string {
  try {
    parseKnownFailing(text, "known.yaml");
  } catch (error) {
    if (error instanceof KnownFailingError) return error.message;
    throw error;
  }
  return "no error";
}

describe("parseKnownFailing", () => {
  it("parses names and reasons", () => {
    const text =
      "# ours\n- name: case editMessage/content\n  reason: 'Issue 12: topics '\n- {name: probe a, reason: later}\n";
    expect([...parseKnownFailing(text, "known.yaml")]).toEqual([
      ["case editMessage/content", "Issue 12: topics"],
      ["probe a", "later"],
    ]);
  });

  it.each(["", "# nothing\n", "[]", "---\n", "null"])("parses an empty list from %j", (text) => {
    expect(parseKnownFailing(text, "known.yaml").size).toBe(0);
  });

  it.each([
    ["name: a\nreason: b", "known.yaml:1: expected a list, such as `- name: …`"],
    ["just text", "known.yaml:1: expected a list, such as `- name: …`"],
    ["[]\n---\n[]", "known.yaml:2: expected one document, but another begins here"],
    ["- a", "known.yaml:1: expected an entry with `name` and `reason`"],
    ["-", "known.yaml:1: expected an entry with `name` and `reason`"],
    ["- name: a", "known.yaml:1: `reason` is missing: why the check is known to fail"],
    ["\n\n- reason: a", "known.yaml:3: `name` is missing: the id of the check, as the report prints it"],
    [
      "- {}",
      "known.yaml:1: `name` is missing: the id of the check, as the report prints it\nknown.yaml:1: `reason` is missing: why the check is known to fail",
    ],
    ["- name: a\n  reason:", "known.yaml:2: expected a text as `reason`"],
    ["- name: a\n  reason: ' '", "known.yaml:2: expected a text as `reason`, in quotes if need be"],
    ["- name: a\n  reason: 12", "known.yaml:2: expected a text as `reason`, in quotes if need be"],
    ["- name: [a]\n  reason: b", "known.yaml:1: expected a text as `name`"],
    ["- name: a\n  reasn: b\n  reason: c", "known.yaml:2: expected `name` or `reason`, not `reasn`"],
    [
      "- name: a\n  reason: b\n- name: c\n  reason: d\n- name: a\n  reason: e",
      "known.yaml:5: `a` is listed twice, first on line 1",
    ],
    ["- {name: a, reason: &x b}\n- {name: c, reason: *x}", "known.yaml:2: expected a text as `reason`"],
  ])("reports place and problem of %j", (text, want) => {
    expect(messageOf(text)).toBe(want);
  });

  it.each(["- name: a\n  reason: b\n name: c", "- {name: a", "\t- a", "- name: a\n  name: b\n  reason: c"])(
    "reports the line of invalid YAML: %j",
    (text) => {
      expect(messageOf(text)).toMatch(/^known\.yaml:\d+: ./);
    },
  );

  it("throws only its own error on any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json(), fc.string({ unit: fc.constantFrom(..."-:{}[]&*!|>\n '\"ab#") })),
        (text) => {
          messageOf(text);
        },
      ),
      { seed: propertySeed, numRuns: propertyRuns(500) },
    );
  });
});

describe("readKnownFailing", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "accord-known-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("reads a file", async () => {
    const file = join(folder, "known.yaml");
    await writeFile(file, "- {name: a, reason: b}");
    expect([...(await readKnownFailing(file))]).toEqual([["a", "b"]]);
  });

  it("names an unreadable file", async () => {
    const file = join(folder, "none.yaml");
    await expect(readKnownFailing(file)).rejects.toThrow(KnownFailingError);
    await expect(readKnownFailing(file)).rejects.toThrow(file);
  });
});

describe("formatKnownFailing", () => {
  it("lists failed checks with reasons, keeps entries of checks that did not run, and drops the rest", () => {
    const check = (id: string, outcome: CheckOutcome = failing) => sampleCheck({ id, outcome });
    const report = smallReport({
      checks: [
        check("known and fails"),
        check("fails", { ...failing, problems: ["expected\n  status 400", "more"] }),
        check("fails without a word", { ...failing, problems: [] }),
        check("known and passes", { kind: "passed" }),
        check("known and skipped", { kind: "skipped", reason: "no states" }),
        check("skipped", { kind: "skipped", reason: "no states" }),
      ],
      knownFailing: new Map(
        ["known and fails", "known and passes", "known and skipped", "no check"].map((name) => [name, `why: ${name}`]),
      ),
    });
    const text = formatKnownFailing(report);
    expect(text).toMatch(/^# Checks of `accord verify chat`/);
    expect([...parseKnownFailing(text, "known.yaml")]).toEqual([
      ["known and fails", "why: known and fails"],
      ["fails", "expected status 400"],
      ["fails without a word", "It fails."],
      ["known and skipped", "why: known and skipped"],
    ]);
  });

  it("keeps the entries of checks that were not selected", () => {
    const knownFailing = new Map(["case a", "case b"].map((name) => [name, `why: ${name}`]));
    const checks = [sampleCheck({ id: "case b", outcome: { kind: "passed" } })];
    const listAfter = (partial: boolean) =>
      parseKnownFailing(formatKnownFailing(smallReport({ checks, knownFailing, partial })), "known.yaml");
    expect([...listAfter(true).keys()]).toEqual(["case a"]);
    expect([...listAfter(false).keys()]).toEqual([]);
  });

  it("writes a list from which parseKnownFailing reads the same names, whatever names and reasons contain", () => {
    const texts = fc.string({ unit: anyCharacter, minLength: 1 }).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(texts, texts), { selector: ([name]) => name }), (entries) => {
        const checks = entries.map(([id, problem]) =>
          sampleCheck({ id, outcome: { ...failing, problems: [problem] } }),
        );
        const read = parseKnownFailing(formatKnownFailing(smallReport({ checks })), "known.yaml");
        expect([...read.keys()]).toEqual(entries.map(([name]) => name));
      }),
      { seed: propertySeed, numRuns: propertyRuns(200) },
    );
  });

  it("cuts a long reason", () => {
    const report = smallReport({ checks: [sampleCheck({ outcome: { ...failing, problems: ["long ".repeat(100)] } })] });
    expect([...parseKnownFailing(formatKnownFailing(report), "f").values()][0]).toHaveLength(200);
  });
});
