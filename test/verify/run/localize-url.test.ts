import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localizeUrl } from "../../../src/verify/run/serve-host.js";
import { anyCharacter } from "../../support/any-character.js";
import { propertyRuns, propertySeed } from "../../support/property-seed.js";

const origin = "http://127.0.0.1:4711";

describe("localizeUrl", () => {
  const table: readonly (readonly [given: string, want: string])[] = [
    ["https://sub.example", "http://127.0.0.1:4711"],
    ["https://sub.example/s/t0ken", "http://127.0.0.1:4711/s/t0ken"],
    ["HTTP://Sub.example:6379/a//b/../c", "http://127.0.0.1:4711/a//b/../c"],
    ["https://me:p%40ss@sub.example:8443/?q", "http://me:p%40ss@127.0.0.1:4711/?q"],
    ["https://a@b@sub.example/", "http://a@b@127.0.0.1:4711/"],
    ["https://sub.example?t0ken", "http://127.0.0.1:4711?t0ken"],
    ["https://sub.example#key=ü ü", "http://127.0.0.1:4711#key=ü ü"],
    [
      "https://c.example/sub?url=https%3A%2F%2Fsub.example%2Fs",
      "http://127.0.0.1:4711/sub?url=https%3A%2F%2Fsub.example%2Fs",
    ],
    ["https://[2001:db8::1]:80/x", "http://127.0.0.1:4711/x"],
    // Not changed:
    ["https://sub.proseware.invalid/list#key=1", "https://sub.proseware.invalid/list#key=1"],
    ["https://sub.example:https/s/t0ken", "https://sub.example:https/s/t0ken"],
    ["http://[broken/s?token=t0ken", "http://[broken/s?token=t0ken"],
    ["ftp://me:t0ken@ftp.example/nodes.txt", "ftp://me:t0ken@ftp.example/nodes.txt"],
    ["/v2/s/t0ken", "/v2/s/t0ken"],
    ["//sub.example/s", "//sub.example/s"],
    ["https://", "https://"],
    ["", ""],
  ];
  it.each(table)("turns %j into %j", (given, want) => {
    expect(localizeUrl(given, origin)).toBe(want);
  });

  it("keeps every byte except scheme, host and port", () => {
    const text = (...marks: string[]) =>
      fc.string({ unit: fc.constantFrom("a", "Z", "7", "%2F", "ü", "=", "&", ...marks) });
    const parts = fc.record({
      userinfo: fc.option(text(":", "@"), { nil: undefined }),
      host: fc.constantFrom("sub.example", "sub.example:8443", "192.0.2.1", "[::1]:80"),
      path: text("/", "@", ":"),
      query: text("/", "?", "@"),
      fragment: text("/", "?", "#", "@"),
    });
    fc.assert(
      fc.property(parts, ({ userinfo, host, path, query, fragment }) => {
        const before = userinfo === undefined ? "" : `${userinfo}@`;
        const after = `/${path}?${query}#${fragment}`;
        expect(localizeUrl(`https://${before}${host}${after}`, origin)).toBe(`http://${before}127.0.0.1:4711${after}`);
      }),
      { seed: propertySeed, numRuns: propertyRuns(500) },
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        localizeUrl(`https://${text}`, origin);
      }),
      { seed: propertySeed, numRuns: propertyRuns(500) },
    );
  });
});
