import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatJunit } from "../../src/report/format-junit.js";
import type { VerifyReport } from "../../src/report/model/verify-report.js";
import { launchChromium } from "../support/launch-chromium.js";
import { needing } from "../support/needing.js";
import { hostileReport } from "./hostile-report.js";
import { hostileTexts } from "./hostile-texts.js";
import { failing, sampleCheck, sampleExchange, sampleReport, smallReport } from "./sample-report.js";

const { describe } = needing("chromium");

/** An element as a strict XML parser reads it. */
interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchChromium();
  page = await browser.newPage();
});
afterAll(() => browser.close());

/** Parses XML. Undefined if it is not well-formed. */
function parse(xml: string): Promise<XmlElement | undefined> {
  return page.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, "application/xml");
    const read = (element: Element): XmlElement => ({
      name: element.nodeName,
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
      children: [...element.children].map(read),
      text: element.textContent ?? "",
    });
    return document.querySelector("parsererror") === null ? read(document.documentElement) : undefined;
  }, xml);
}

const counts = (element: XmlElement | undefined) => {
  const { tests, failures, errors, skipped } = element?.attributes ?? {};
  return { tests, failures, errors, skipped };
};

describe("formatJunit", () => {
  it("writes a suite for each operation and a case for each check, with counts", async () => {
    const report = smallReport({
      checks: [
        sampleCheck({ id: "a", operation: "x" }),
        sampleCheck({ id: "b", operation: "x", outcome: failing, durationMs: 1500 }),
        sampleCheck({ id: "c", operation: "y", outcome: { kind: "skipped", reason: "no states" } }),
        sampleCheck({
          id: "d",
          operation: "y",
          outcome: { kind: "errored", reason: "gone", help: "start it", trace: [] },
        }),
        sampleCheck({ id: "e", operation: "y", outcome: failing }),
        sampleCheck({ id: "f", operation: "y" }),
      ],
      knownFailing: new Map([
        ["e", "Issue 1"],
        ["f", "Issue 2"],
        ["ff", "Issue 3"],
      ]),
    });
    const root = await parse(formatJunit(report));
    expect(root).toMatchObject({ name: "testsuites", attributes: { name: "accord verify chat", time: "12.345" } });
    expect(counts(root)).toEqual({ tests: "7", failures: "3", errors: "1", skipped: "2" });
    const [x, y, known] = root?.children ?? [];
    expect(x).toMatchObject({
      name: "testsuite",
      attributes: { name: "x", tests: "2", failures: "1", time: "1.512", timestamp: "2026-03-01T10:20:30" },
    });
    expect(x?.children[0]?.children.map(({ attributes }) => attributes)).toContainEqual({ name: "seed", value: "42" });
    expect(x?.children.slice(1).map(({ attributes }) => attributes)).toEqual([
      { name: "a", classname: "x", time: "0.012" },
      { name: "b", classname: "x", time: "1.500" },
    ]);
    const failure = x?.children[2]?.children[0];
    expect(failure).toMatchObject({ name: "failure", attributes: { type: "violation" } });
    expect(failure?.attributes.message).toBe(`messages.edit.content: ${failing.problems[0]}`);
    expect(failure?.text).toContain("Breaks messages.edit.content: The content can be changed.\n");
    for (const part of [...failing.problems, sampleExchange.command, sampleExchange.response]) {
      expect(failure?.text).toContain(part);
    }
    expect(
      y?.children.slice(1).map(({ children }) => children.map(({ name, attributes }) => [name, attributes.message])),
    ).toEqual([
      [["skipped", "no states"]],
      [["error", "gone"]],
      [
        ["skipped", "Known to fail: Issue 1"],
        ["system-out", undefined],
      ],
      [["failure", "It is listed as known to fail, but passes. Remove it from the list."]],
    ]);
    expect(y?.children[2]?.text).toContain("start it");
    expect(known).toMatchObject({ attributes: { name: "known-failing", tests: "1", failures: "1" } });
    expect(known?.children[1]?.children[0]?.attributes.message).toContain("no check has this name");
  });

  it("names every rule that a check broke, and none if it broke none", async () => {
    const rules = ["messages.edit.content", "messages.edit.content-with-stream", "users.me.email"];
    const checks = [
      sampleCheck({ id: "a", operation: "x", rules, outcome: { ...failing, broken: rules.slice(0, 2) } }),
      sampleCheck({ id: "b", operation: "x", rules: [], outcome: failing }),
    ];
    const [, a, b] = (await parse(formatJunit(smallReport({ checks }))))?.children[0]?.children ?? [];
    expect(a?.text).toContain("Breaks messages.edit.content: The content can be changed.\n");
    expect(a?.text).toContain(
      "Breaks messages.edit.content-with-stream: A request with both `content` and `stream_id` is an error. (Source: Edit a message, rule 1)",
    );
    expect(a?.text).not.toContain("users.me.email");
    expect(b?.children[0]?.attributes.message).toBe(failing.problems[0]);
    expect(b?.text).not.toContain("Breaks");
  });

  it.each<[string, Partial<VerifyReport>, string | RegExp, Record<string, string>]>([
    [
      "was stopped",
      { stopped: true, partial: true },
      "The run was stopped before it was complete.",
      { stopped: "true" },
    ],
    [
      "exercised too few rules",
      { checks: [sampleCheck({ outcome: { kind: "passed", shown: [], reason: "it has no content" } })] },
      /^None broken, but only 0 of the 1 rules /,
      { exercised: "0 of 1 rules (0 %)", minExercised: "50 %" },
    ],
  ])("writes an error for a run that %s", async (_, different, message, facts) => {
    const root = await parse(formatJunit(smallReport(different)));
    expect(counts(root)).toEqual({ tests: "2", failures: "0", errors: "1", skipped: "0" });
    const [suite, run] = root?.children ?? [];
    const properties = suite?.children[0]?.children.map(({ attributes: { name, value } }) => [name, value]) ?? [];
    expect(Object.fromEntries(properties)).toMatchObject(facts);
    expect(run).toMatchObject({ attributes: { name: "run", errors: "1" } });
    expect(run?.children[1]?.children[0]?.attributes.message).toMatch(message);
  });

  it("writes every check of a complete run once", async () => {
    const report = await sampleReport();
    const root = await parse(formatJunit(report));
    const cases = root?.children.flatMap(({ children }) => children.filter(({ name }) => name === "testcase")) ?? [];
    expect(cases).toHaveLength(report.checks.length + 1);
    expect(new Set(cases.map(({ attributes }) => attributes.name)).size).toBe(cases.length);
    expect(root?.attributes.tests).toBe(String(cases.length));
  });

  it.each(hostileTexts)("writes well-formed XML with %j in every text, and preserves it", async (text) => {
    const root = await parse(formatJunit(hostileReport(text)));
    expect(counts(root)).toEqual({ tests: "10", failures: "4", errors: "1", skipped: "4" });
    const shown = text.replace(/[^\P{Cc}\t\n\r]|[\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]/gu, (character) =>
      [...Buffer.from(character, "utf16le").swap16().toString("hex").matchAll(/..../g)]
        .map((unit) => `\\u${unit}`)
        .join(""),
    );
    const [failed, , skipped] = root?.children[0]?.children.slice(1) ?? [];
    expect(failed?.attributes.name).toBe(`${shown}1`);
    expect(failed?.text).toContain(shown);
    expect(skipped?.children[0]?.attributes.message).toBe(shown);
  });

  it("writes well-formed XML with any character", async () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join(" ");
    const checks = [sampleCheck({ id: units, outcome: { ...failing, problems: [units] } })];
    expect(await parse(formatJunit(smallReport({ checks })))).toBeDefined();
  });
});
