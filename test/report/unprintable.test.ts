import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { formatJunit } from "../../src/report/format-junit.js";
import { formatHtml } from "../../src/report/html/format-html.js";
import { formatJson } from "../../src/report/model/to-json-report.js";
import { formatKnownFailing, parseKnownFailing } from "../../src/verify/known-failing.js";
import { hostileReport } from "./hostile-report.js";
import { failing, sampleCheck, smallReport } from "./sample-report.js";

/** Every character that controls a terminal or reorders or hides text, and noncharacters. Without newlines, which reports contain. */
const characters = [
  ...range(0x00, 0x09),
  ...range(0x0b, 0x1f),
  ...range(0x7f, 0x9f),
  0xad,
  0x61c,
  0x180e,
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x2064),
  ...range(0x2066, 0x206f),
  0xd800,
  0xdfff,
  0xfeff,
  ...range(0xfff9, 0xfffb),
  0xfffe,
  0xffff,
  0x1d173,
  0xe0001,
  0xe0041,
].map((code) => String.fromCodePoint(code));

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const spread = characters.map((character) => `a${character}b`).join(" ");
const raw = (text: string) => characters.filter((character) => text.replaceAll("\n", "").includes(character));

describe("a report with unprintable texts of a server", () => {
  it("escapes them in JSON, and preserves the texts", () => {
    const json = formatJson(hostileReport(spread));
    expect(raw(json)).toEqual([]);
    expect(json).toContain("\\u009b");
    expect(json).toContain("\\u202e");
    const { target, checks } = JSON.parse(json);
    expect(target).toBe(spread);
    expect(checks[0]).toMatchObject({ id: `${spread}1`, problems: [spread, spread] });
  });

  it("escapes them readably in JUnit XML", () => {
    const xml = formatJunit(hostileReport(spread));
    // Tabs and carriage returns are character references there.
    expect(raw(xml).filter((character) => character !== "\t")).toEqual([]);
    expect(xml).toContain("a\\u009bb");
    expect(xml).toContain("a\\u202eb");
    expect(xml).toContain("a\\udb40\\udc01b");
  });

  it("escapes them in HTML and in the data embedded in it", () => {
    const page = formatHtml(hostileReport(spread));
    expect(raw(page).filter((character) => character !== "\t")).toEqual([]);
  });

  it("escapes them in a known-failing list, and preserves the names", () => {
    const name = `case ${spread} \\ "quoted" 'and' # more: 😀`;
    const checks = [sampleCheck({ id: name, outcome: { ...failing, problems: ["Right\u202eLeft\u009b"] } })];
    const yaml = formatKnownFailing(smallReport({ checks }));
    expect(raw(yaml)).toEqual([]);
    const reason = "Right\u202eLeft\u009b";
    expect([...parseKnownFailing(yaml, "file")]).toEqual([[name, reason]]);
    expect(load(yaml)).toEqual([{ name, reason }]);
  });
});
