import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeText } from "../../../../../reference/daemon/import/reading/decode-text.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";

it.each([
  ["nothing", "", ""],
  ["ASCII", "a\nb", "a\nb"],
  ["CRLF", "a\r\nb\r\n", "a\nb"],
  ["lone CR", "a\rb\r", "a\nb"],
  ["CR CR LF", "a\r\r\nb", "a\n\nb"],
  ["LF CR", "a\n\rb", "a\n\nb"],
  ["white space around", " \t\r\n a b \u00a0\n", "a b"],
  ["NULs around", "\0\0 a\0b \0", "a\0b"],
  ["only NULs and white space", " \0\r\n\t\0", ""],
  ["a byte order mark", "\ufeffa", "a"],
  ["a byte order mark alone", "\ufeff", ""],
  ["text beyond ASCII", "香港 🇯🇵\r\né", "香港 🇯🇵\né"],
])("decodes %s", (_, text, expected) => {
  expect(decodeText(Buffer.from(text))).toBe(expected);
});

it.each([
  ["UTF-16, little end first", [0xff, 0xfe, 0x61, 0, 0x0d, 0, 0x0a, 0, 0x99, 0x99], "a\n\u9999"],
  ["UTF-16, big end first", [0xfe, 0xff, 0, 0x61, 0, 0x0d, 0, 0x0a, 0x99, 0x99], "a\n\u9999"],
  ["UTF-16 with half a character", [0xff, 0xfe, 0x61, 0, 0x3c, 0xd8, 0x62], "a\ufffd"],
  ["invalid bytes", [0x61, 0xff, 0xc3, 0x28, 0x62], "a\ufffd\ufffd(b"],
  ["a character that is cut off", [0x61, 0xe9, 0xa6], "a\ufffd"],
  ["a surrogate in UTF-8", [0x61, 0xed, 0xa0, 0x80, 0x62], "a\ufffd\ufffd\ufffdb"],
])("decodes %s", (_, bytes, expected) => {
  expect(decodeText(Uint8Array.from(bytes))).toBe(expected);
});

it("decodes any bytes", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .array(fc.constantFrom(0x0d, 0x0a, 0x20, 0, 0xff, 0xfe, 0x61, 0xe9, 0xa6, 0x99))
      .map((some) => Uint8Array.from(some)),
  );
  fc.assert(
    fc.property(bytes, (some) => {
      const text = decodeText(some);
      expect(/[\0-\x20\u00a0\ufeff]/.test(text.charAt(0) + text.slice(-1))).toBe(false);
      expect(text).not.toContain("\r");
      expect(Buffer.from(text).toString()).toBe(text);
    }),
    { seed: propertySeed, numRuns: propertyRuns(2_000) },
  );
});
