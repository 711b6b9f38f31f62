import { describe, expect, it } from "vitest";
import { decodedViews, searchDecoded } from "../../src/secrets/decoded-views.js";
import { percentEncoding } from "../../src/secrets/encodings.js";

function textsOf(text: string, maxViews?: number): string[] {
  const views = [...decodedViews(text, maxViews === undefined ? {} : { maxViews })];
  return views.map(({ bytes }) => Buffer.from(bytes, "latin1").toString());
}

describe("decodedViews", () => {
  it.each([
    ["percent-encoding", "a%C3%BCb", "aüb"],
    ["percent-encoding of one byte of a character in two layers", "%C3%25BC", "ü"],
    ["escapes of JSON", String.raw`\u00fc\/\"\n`, 'ü/"\n'],
    ["a surrogate pair", String.raw`\ud83d\udd11`, "🔑"],
    ["a code point in braces", String.raw`\u{1f511}`, "🔑"],
    ["bytes in hexadecimal and octal digits", String.raw`\xc3\274`, "ü"],
    ["a backslash before a letter", String.raw`\d\$`, "d$"],
    ["quotes of a shell", String.raw`it'\''s`, "it's"],
    ["named references", "&lt;&amp;&shy;", "<&\u00ad"],
    ["numeric references", "&#xfc;&#0252&#55357;&#56593;", "üü🔑"],
    ["references in percent-encoded JSON", "%5Cu0026%2397%3B", "a"],
  ])("returns a text without %s", (_, text, want) => {
    expect(textsOf(text)).toContain(want);
  });

  it.each(["", "plain", "100%", "%zz", "\\", "&", "&unknown;", "&#x110000;", "it's"])(
    "returns only the text itself for %j",
    (text) => {
      expect(textsOf(text)).toEqual([text]);
    },
  );

  it("returns the text first, and stops at the maximum", () => {
    const nested = "%2525252541";
    expect(textsOf(nested)).toEqual([nested, "%25252541", "%252541", "%2541", "%41", "A"]);
    expect(textsOf(nested, 3)).toEqual([nested, "%25252541", "%252541"]);
  });
});

describe("searchDecoded", () => {
  it.each([
    ["key", "key", ["key"]],
    ["key", "a key", ["key"]],
    ["key", "ü %6bey ü", ["%6bey"]],
    ["ü", "aü🔑", ["ü"]],
    ["ü", "a%C3%BCb", ["%C3%BC"]],
    ["ü", "%25C3%2525BC", ["%25C3%2525BC"]],
    ["k🔑", "🔑k%F0%9F%94%91🔑", ["k%F0%9F%94%91"]],
  ])("finds %j at its place in %j", (wanted, text, want) => {
    const bytes = Buffer.from(wanted).toString("latin1");
    const ranges = searchDecoded(
      text,
      (view) => {
        const start = view.indexOf(bytes);
        return start < 0 ? [] : [{ start, end: start + bytes.length }];
      },
      { encodings: [percentEncoding] },
    );
    expect([...new Set(ranges.map(({ start, end }) => text.slice(start, end)))]).toEqual(want);
  });
});
