import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScrubber } from "../../src/daemon/index.js";
import { anyCharacter } from "../support/any-character.js";
import { propertyRuns, propertySeed } from "../support/property-seed.js";

describe("createScrubber", () => {
  const url =
    "https://grace:vX9p%2FLm3@trey.example:8443/s/6f1e2a9c?token=Zm9v%2BYmFy&flag&k%C3%A9y=caf%C3%A9s#Nord%20West";
  const table: readonly (readonly [url: string, text: string, want: string])[] = [
    [
      url,
      "The connection was refused (https://trey.example:8443)",
      "The connection was refused (https://trey.example:8443)",
    ],
    [url, `Failed to parse URL from ${url}`, "Failed to parse URL from [redacted]"],
    [url, `at ${encodeURIComponent(url)}.`, "at [redacted]."],
    [url, `at ${encodeURIComponent(encodeURIComponent(url))}.`, "at [redacted]."],
    [url, "user grace, password vX9p/Lm3 or vX9p%2fLm3", "user [redacted], password [redacted] or [redacted]"],
    [url, "GET /s/6f1e2a9c", "GET [redacted]"],
    [url, "segment 6f1e2a9c.", "segment [redacted]."],
    [url, "6f%31e2a9c", "[redacted]"],
    [url, "value Zm9v+YmFy, Zm9v%2BYmFy, Zm9v YmFy", "value [redacted], [redacted], [redacted]"],
    [url, "value cafés, caf%c3%a9s", "value [redacted], [redacted]"],
    [url, "Nord West, Nord+West, Nord%20West", "[redacted], [redacted], [redacted]"],
    [url, "a flag", "a [redacted]"],
    [url, "gracegrace vX9p", "[redacted] vX9p"],
    ["https://sub.example/s/abc?k=xyz", "abc xyz /s/abc", "abc xyz [redacted]"],
    ["https://sub.example?t0ken", "t0ken?", "[redacted]?"],
    ["https://sub.example/?url=https%3A%2F%2Fin.example%2Fs%2F0dd5eed", "0dd5eed", "[redacted]"],
    ["https://sub.example/#token=0dd5eed&x=1", "0dd5eed", "[redacted]"],
    // Not a URL, or a host that is part of the password.
    ["ss://YWVzLTI1Ni@host.example:1", "YWVzLTI1Ni and host.example", "[redacted] and [redacted]"],
    ["0dd5eed", "a 0dd5eed", "a [redacted]"],
    ["https:0dd5eed", "a 0dd5eed", "a [redacted]"],
    ["https://t0ken/en@sub.example/", "no host t0ken", "no host [redacted]"],
    ["https://sub.example/to\nken", "token", "[redacted]"],
    ["https:\\\\sub.example\\t0ken", "t0ken", "[redacted]"],
    // Malformed percent-encoding, lone surrogates.
    ["https://sub.example/%zz%4", "%zz%4 %25zz%254", "[redacted] [redacted]"],
    ["https://sub.example/abc\ud800", "abc\ud800 \ud83d", "[redacted] \ud83d"],
    ["https://sub.example/100%", "100%, 100%25", "[redacted], [redacted]"],
    // Text that occurs in every scrubbed result proves no leak.
    ["https://sub.example/redacted", "[redacted]", "[redacted]"],
    ["", "text", "text"],
    ["https://sub.example", "", ""],
  ];
  it.each(table)("given the URL %j, turns %j into %j", (given, text, want) => {
    expect(createScrubber(given)(text)).toBe(want);
  });

  it("keeps a text that shares nothing with a long URL", () => {
    expect(createScrubber(`https://sub.example/${"x".repeat(20_000)}`)("url is too long")).toBe("url is too long");
    expect(createScrubber(`https://sub.example/${"x".repeat(20_000)}/0dd5eed`)("no 0dd5")).toBe("[redacted]");
    expect(createScrubber(`https://sub.example/${"x".repeat(20_000)}%30dd5eed`)("no 0dd5")).toBe("[redacted]");
  });

  it("replaces the whole text if it would take too long to search", () => {
    expect(createScrubber("x".repeat(2_000_000))("url is too long")).toBe("[redacted]");
    const many = `https://sub.example/${Array.from({ length: 2_000 }, (_, index) => `s${index}`).join("/")}`;
    expect(createScrubber(many)("a".repeat(100_000))).toBe("[redacted]");
  });

  describe("with random URLs and texts", () => {
    const unit = fc.constantFrom(..."aB7-_.~!$'()*,=:é香%+ ", "%41", "%2F", "%c3%a9", "%25");
    const piece = fc
      .string({ unit, minLength: 4, maxLength: 12 })
      .filter((text) => !text.includes("[") && lengthOf(text) >= 4);
    const parts = fc.record({
      user: piece,
      password: piece,
      path: fc.array(piece, { minLength: 1, maxLength: 3 }),
      value: piece,
      bare: piece,
      fragment: piece,
    });
    const spelling = fc.constantFrom<(text: string) => string>(
      (text) => text,
      decode,
      encodeURIComponent,
      (text) => encodeURIComponent(encodeURIComponent(text)),
      (text) => encodeURIComponent(decode(text)),
      (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
      (text) => [...Buffer.from(decode(text))].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    );

    function lengthOf(text: string): number {
      return [...decode(decode(decode(text)))].length;
    }

    function decode(text: string): string {
      const bytes = Buffer.from(text).toString("latin1");
      const decoded = bytes.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
      return Buffer.from(decoded, "latin1").toString();
    }

    it("leaves no part of the URL in any spelling", () => {
      fc.assert(
        fc.property(
          parts,
          fc.array(fc.tuple(fc.nat(), spelling, fc.string({ unit: fc.constantFrom(..."xyz (): \"'\n") })), {
            maxLength: 4,
          }),
          ({ user, password, path, value, bare, fragment }, embedded) => {
            const pieces = [user, password, ...path, value, bare, fragment].map((one) => one.replace(/[=:]/g, "_"));
            const [u, p, ...rest] = pieces;
            const [f, b, v, ...segments] = rest.reverse();
            const url = `https://${u}:${p}@host.test/${segments.join("/")}?k=${v}&${b}#${f}`;
            const text = embedded
              .map(([index, spell, around]) => `${around}«${spell(pieces[index % pieces.length] ?? "")}»`)
              .join("");
            const shown = createScrubber(url)(text);
            // The embedded text is between the two marks.
            expect(shown.match(/«[^»]*»/g) ?? []).toEqual(embedded.map(() => "«[redacted]»"));
          },
        ),
        { seed: propertySeed, numRuns: propertyRuns(300) },
      );
    });

    it("never throws, and keeps texts that share nothing with the URL", () => {
      fc.assert(
        fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (url, text) => {
          const shown = createScrubber(url)(text);
          if (url.length < 4) expect(shown).toBe(text);
        }),
        { seed: propertySeed, numRuns: propertyRuns(300) },
      );
      const letters = fc.string({ unit: fc.constantFrom(..."abc/?&=#@:") });
      fc.assert(
        fc.property(letters, fc.string({ unit: fc.constantFrom(..."xyz %4") }), (url, text) => {
          expect(createScrubber(`https://${url}`)(text)).toBe(text);
        }),
        { seed: propertySeed, numRuns: propertyRuns(300) },
      );
    });
  });
});
