import { setImmediate as turn } from "node:timers/promises";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadDaemonCases } from "../../../src/contract/daemon/cases.js";
import { createSecretFinder, showsSecret } from "../../../src/verify/daemon/secret-finder.js";
import { createMask } from "../../../src/verify/mask.js";
import { propertyRuns, propertySeed } from "../../support/property-seed.js";

const secret = "süß/es Geheimnis";
const find = createSecretFinder([secret]);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const numbers = (text: string, separator: string) => [...Buffer.from(text)].join(separator);

describe("createSecretFinder", () => {
  const spellings: readonly (readonly [how: string, text: string])[] = [
    ["verbatim", secret],
    ["percent-encoded", encodeURIComponent(secret)],
    ["percent-encoded in lower case", "s%c3%bc%c3%9f%2fes%20Geheimnis"],
    ["percent-encoded in part", "s%C3%BC%C3%9F/es%20Geheimnis"],
    ["percent-encoded more than needed", "%73%C3%BC%C3%9F%2F%65s%20Geheimnis"],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent(secret))],
    ["form-encoded", "s%C3%BC%C3%9F%2Fes+Geheimnis"],
    ["with a plus for the space", "süß/es+Geheimnis"],
    ["in JSON", String.raw`s\u00fc\u00df\/es Geheimnis`],
    ["as bytes of a program", String.raw`s\xc3\xbc\xc3\x9f/es Geheimnis`],
    ["as octal bytes", String.raw`s\303\274\303\237/es Geheimnis`],
    ["with code points of a program", String.raw`s\u{fc}\u{df}/es Geheimnis`],
    ["in HTML", "s&#xfc;&#223;&#x2F;es Geheimnis"],
    ["in base64", base64(secret)],
    ["in base64, percent-encoded before", base64(`https://grace:${encodeURIComponent(secret)}@trey.example/`)],
    ["in base64 with user name", base64(`grace:${secret}`)],
    ["in base64 of a longer text", base64(`{"a":"${secret}","b":1}`)],
    ["in base64url", Buffer.from(`?>~${secret}?>~`).toString("base64url")],
    ["in base64, percent-encoded after", encodeURIComponent(base64(`u:${secret}`))],
    ["in upper case", secret.toUpperCase()],
    ["in lower case", secret.toLowerCase()],
    ["percent-encoded, then in lower case", encodeURIComponent(secret).toLowerCase()],
    ["in hex", hex(secret)],
    ["in hex, in upper case", hex(secret).toUpperCase()],
    ["in hex of a longer text, percent-encoded before", hex(`grace:${encodeURIComponent(secret)}@trey.example`)],
    ["as Node shows bytes", inspect(Buffer.from(secret))],
    ["as Node writes bytes to JSON", JSON.stringify({ error: Buffer.from(`u:${secret}`) })],
    ["as Go shows bytes", `[${numbers(`u:${secret}@`, " ")}]`],
    ["as Python lists bytes", `[${numbers(secret, ", ")}]`],
    ["as a list of numbers, percent-encoded", encodeURIComponent(numbers(secret, ", "))],
  ];
  it.each(spellings)("finds a secret %s", (_, text) => {
    expect(find(text)).toEqual([secret]);
    expect(find(`error at "${text}": none\n`)).toEqual([secret]);
  });

  it.each(spellings)("finds nothing after masking a secret %s", (_, text) => {
    const masked = createMask([secret])(`cannot fetch ${text} now`);
    expect(masked).toMatch(/^cannot fetch .*\*\*\*.* now$/);
    expect(find(masked)).toEqual([]);
  });

  it.each([
    "",
    "Geheimnis",
    "s%C3%BC%C3%9F",
    base64("another text altogether"),
    "%ZZ %% \\ \\x \\u{ &#; &#x110000; \\777",
    "(https://trey.example:8443)",
    hex("another text altogether"),
    numbers("another text altogether", ", "),
    hex("Geheimnis"),
  ])("finds nothing in %j", (text) => {
    expect(find(text)).toEqual([]);
  });

  it("ignores a short secret in another case, but not a long one", () => {
    expect(createSecretFinder(["Pr1vate-a"])("PR1VATE-A pr1vate-a")).toEqual([]);
    expect(createSecretFinder(["Pr1vate-ab"])("PR1VATE-AB")).toEqual(["Pr1vate-ab"]);
  });

  it("distinguishes several secrets", () => {
    const several = createSecretFinder(["vX9pLm3QwE", "Q7wXv2LmN9pR", "gH5tBv8DkS"]);
    expect(several(`a ${base64("u:gH5tBv8DkS")} b vX9pLm3QwE`)).toEqual(["vX9pLm3QwE", "gH5tBv8DkS"]);
  });

  it("finds each secret of a case in its request", async () => {
    const { cases } = await loadDaemonCases();
    const secretive = cases.filter(({ secrets = [] }) => secrets.length > 0);
    expect(secretive.length).toBeGreaterThan(15);
    for (const { secrets = [], request, given, reply, error } of secretive) {
      const requests = [request, ...(given?.calls ?? []).map((call) => call.request)];
      expect(createSecretFinder(secrets)(requests.map(({ url }) => url).join(" "))).toEqual(secrets);
      expect(createSecretFinder(secrets)(JSON.stringify([reply, error]))).toEqual([]);
    }
  });

  it("finds any secret in any spelling at any position", () => {
    const character = fc.constantFrom("a", "Z", "7", "-", "_", "/", "?", "=", "&", ":", "@", "ü", "é", "龍", "🗝", " ");
    const coding = fc.constantFrom<(text: string) => string>(
      (text) => text,
      encodeURIComponent,
      (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
      (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
      base64,
      (text) => Buffer.from(text).toString("base64url"),
      (text) => base64(`user:${text}@host`),
      (text) => encodeURIComponent(encodeURIComponent(text)),
      (text) => JSON.stringify(text).slice(1, -1),
      hex,
      (text) => hex(text).toUpperCase(),
      (text) => hex(text).replace(/..(?=.)/g, "$& "),
      (text) => numbers(text, ","),
      (text) => numbers(`user:${text}@host`, " "),
    );
    const around = fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[%\\&\w+/-]/g, "."));
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 6 }), coding, around, around, (text, code, before, after) => {
        expect(createSecretFinder([text])(before + code(text) + after)).toEqual([text]);
      }),
      { seed: propertySeed, numRuns: propertyRuns(1000) },
    );
  });

  it("finds nothing in other bytes, however they are written", async () => {
    const { cases } = await loadDaemonCases();
    const findAny = createSecretFinder([...new Set(cases.flatMap(({ secrets = [] }) => secrets))]);
    const bytes = fc.uint8Array({ minLength: 200, maxLength: 400 }).map((found) => Buffer.from(found));
    fc.assert(
      fc.property(bytes, (dump) => {
        const list = [...dump].join(", ");
        for (const text of [dump.toString("hex"), inspect(dump), list, base64(list), dump.toString("latin1")])
          expect(findAny(text)).toEqual([]);
      }),
      { seed: propertySeed, numRuns: propertyRuns(200) },
    );
  });

  it("takes little time for hostile text", () => {
    const pieces = [
      "%25",
      "\\",
      "&#x26;amp;",
      "%5C%5c",
      "\\u005cu005c",
      "73c3",
      "73 c3 ",
      "115, 195, ",
      "SÜSS/ES ",
      "süß",
    ];
    const hostile = pieces.map((piece) => piece.repeat(20_000));
    for (const text of hostile) expect(find(text)).toEqual([]);
  });
});

describe("showsSecret", () => {
  const secret = "d41d8cd98f00b204e9800998ecf8427e";
  const find = createSecretFinder([secret]);
  const mebibyte = "Zürich\n".repeat(2 ** 20 / 7);

  it.each([0, 1, 61_000, 61_439, 61_440, 65_500, 65_535, 65_536, 126_970, 1_000_000])(
    "finds a secret at %i of a long text, in any spelling",
    async (at) => {
      for (const spelling of [
        secret,
        Buffer.from(`u:${secret}`).toString("base64"),
        encodeURIComponent(`%${secret}`),
      ]) {
        expect(await showsSecret(`${mebibyte.slice(0, at)}${spelling}${mebibyte}`, find)).toBe(true);
      }
    },
  );

  it.each(["", "Zürich", mebibyte])("finds nothing in a text without secrets", async (text) => {
    expect(await showsSecret(text, find)).toBe(false);
  });

  it("does not block the event loop for a long text of escapes", async () => {
    const escapes = "%41\\u0041&#65;".repeat(2 ** 20 / 14);
    let isOver = false;
    const search = showsSecret(escapes, find).then(() => {
      isOver = true;
    });
    let turns = 0;
    for (; !isOver; turns += 1) await turn();
    await search;
    expect(turns).toBeGreaterThan(10);
  });

  it("rejects when aborted", async () => {
    const stop = new AbortController();
    const search = showsSecret(mebibyte, find, stop.signal);
    stop.abort();
    await expect(search).rejects.toThrow("aborted");
  });
});
