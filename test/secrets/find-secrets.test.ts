import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { secretsOf } from "../../proto/checks/secrets.js";
import { earlierCalls } from "../../src/contract/rpc/evidence.js";
import { loadDaemonCases } from "../../src/daemon/daemon-contract.js";
import { createFinder, createSecretFinder } from "../../src/secrets/find-secrets.js";
import { anyCharacter } from "../support/any-character.js";
import { propertyRuns, propertySeed } from "../support/property-seed.js";
import { spellings } from "../support/spellings.js";

const secret = "süß/es Geheimnis";
const find = createSecretFinder([secret]);
const anySecret = fc.string({ unit: anyCharacter, minLength: 6, maxLength: 30 }).filter(({ length }) => length >= 6);

describe("createSecretFinder", () => {
  it.each(Object.entries(spellings))("finds a secret %s", (_, spell) => {
    expect(find(spell(secret))).toEqual([secret]);
    expect(find(`error at "${spell(secret)}": none\n`)).toEqual([secret]);
  });

  it("finds any secret in any spelling in any text", () => {
    // These begin an escape, to which the spelling could then belong.
    const around = fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => text.replaceAll(/[%\\]/g, "."));
    fc.assert(
      fc.property(anySecret, fc.constantFrom(...Object.values(spellings)), around, around, (text, spell, ...[a, b]) => {
        expect(createSecretFinder([text])(a + spell(text) + b)).toEqual([text]);
      }),
      { seed: propertySeed, numRuns: propertyRuns(1000) },
    );
  });

  it("finds a secret with any characters percent-encoded", () => {
    const parts = fc.array(fc.tuple(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }), fc.boolean()), {
      minLength: 6,
    });
    fc.assert(
      fc.property(parts, (characters) => {
        const text = characters.map(([character]) => character).join("");
        const spelled = characters.map(([character, isEncoded]) =>
          isEncoded || character === "%" ? percentEncodedWholly(character) : character,
        );
        expect(createSecretFinder([text])(`<${spelled.join("")}>`)).toEqual([text]);
      }),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });

  it.each([
    ["a break of its own", "key-one\nkey-two", "data: key-one\r\ndata: key-two\n\n"],
    ["a break that a server added", "key-one-two", 'data: {"echo": "key-o\ndata:ne-two"}\n\n'],
  ])("finds a secret over several lines of a server-sent event: %s", (_, text, event) => {
    expect(createFinder([text])(event)).toEqual([expect.objectContaining({ secret: text })]);
    expect(createFinder([text])(event.replace("\ndata", "\n\ndata"))).toEqual([]);
  });

  it.each([
    "",
    "Geheimnis",
    "s%C3%BC%C3%9F",
    btoa("another text altogether"),
    "%ZZ %% \\ \\x \\u \\ud83d %",
    "(https://trey.example:8443)",
    secret.toUpperCase(),
    [...secret].join("-"),
  ])("finds nothing in %j", (text) => {
    expect(find(text)).toEqual([]);
  });

  it("ignores secrets of less than four characters, and shorter ones than six in base64 and hexadecimal digits", () => {
    expect(createSecretFinder(["", "a", "abc"])("abc a")).toEqual([]);
    expect(createSecretFinder(["p2Jq"])("p2Jq")).toEqual(["p2Jq"]);
    expect(
      createSecretFinder(["p2Jq", "Zk8V4"])(`${btoa("p2Jq")} ${btoa("Zk8V4")} ${Buffer.from("Zk8V4").toString("hex")}`),
    ).toEqual([]);
  });

  it("distinguishes several secrets, and finds one within another", () => {
    const several = createSecretFinder(["vX9pLm3QwE", "Q7wXv2LmN9pR", "gH5tBv8DkS", "gH5tBv"]);
    expect(several(`a ${btoa("u:gH5tBv8DkS")} b vX9pLm3QwE`)).toEqual(["vX9pLm3QwE", "gH5tBv8DkS", "gH5tBv"]);
  });

  it("finds each secret of a case in its request, and none in its response", async () => {
    const { cases } = await loadDaemonCases();
    const secretive = cases.filter(({ name }) => secretsOf[name] !== undefined);
    expect(secretive.length).toBeGreaterThan(15);
    for (const { name, request, given = [], reply, error } of secretive) {
      const secrets = secretsOf[name] ?? [];
      const requests = [request, ...earlierCalls({ given }).map((call) => call.with)];
      expect(createSecretFinder(secrets)(requests.map(({ url }) => url).join(" "))).toEqual(secrets);
      expect(createSecretFinder(secrets)(JSON.stringify([reply, error]))).toEqual([]);
    }
  });

  it("finds nothing in other bytes, however they are written", () => {
    const findAny = createSecretFinder([...new Set(Object.values(secretsOf).flat())]);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 200, maxLength: 400 }), (bytes) => {
        for (const form of ["hex", "base64", "base64url", "latin1"] as const)
          expect(findAny(Buffer.from(bytes).toString(form))).toEqual([]);
      }),
      { seed: propertySeed, numRuns: propertyRuns(200) },
    );
  });

  it.each([0, 1, 61_000, 61_439, 61_440, 65_500, 65_535, 65_536, 126_970, 1_000_000])(
    "finds a secret at %i of a long text",
    (at) => {
      const long = "Zürich\n".repeat(2 ** 20 / 7);
      expect(find(long)).toEqual([]);
      for (const spelled of [secret, btoa("u:gH5tBv8DkS"), encodeURIComponent(secret)])
        expect(createSecretFinder([secret, "gH5tBv8DkS"])(long.slice(0, at) + spelled + long)).toHaveLength(1);
    },
  );
});

describe("createFinder", () => {
  it.each(["abab", "%61b", "\\u0061b", "YWJh", "%5c%75"])("compares in linear time for a long text of %j", (piece) => {
    const nested = Array.from({ length: 200 }, (_, index) => "ab".repeat(index + 2));
    const comparisons = (length: number) => {
      const slice = vi.spyOn(String.prototype, "slice");
      createFinder(nested)(piece.repeat(length));
      const { calls } = slice.mock;
      slice.mockRestore();
      return calls.length;
    };
    expect(comparisons(2_000)).toBeLessThanOrEqual(2 * comparisons(1_000) + 10_000);
  });

  it("compares no more than the beginning of a long secret that repeats itself, and finds all of it", () => {
    const [long, text] = ["a".repeat(100_000), "a".repeat(200_000)];
    const compared = vi.spyOn(String.prototype, "charCodeAt");
    const found = createFinder([long])(text);
    const { calls } = compared.mock;
    compared.mockRestore();
    expect(calls.length).toBeLessThan(20 * text.length);
    expect(Math.max(...createFinder([long])(`${long}b`).map(({ end }) => end))).toBe(long.length);
    expect(found.length).toBeGreaterThan(0);
  });

  it("finds at most one secret for each byte of each decoding", () => {
    const nested = Array.from({ length: 200 }, (_, index) => "a".repeat(index + 4));
    expect(createFinder(nested)("a".repeat(10_000)).length).toBeLessThanOrEqual(10_000);
  });
});

function percentEncodedWholly(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}
