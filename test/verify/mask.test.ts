import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMask } from "../../src/verify/mask.js";
import { anyCharacter } from "../support/any-character.js";
import { propertyRuns, propertySeed } from "../support/property-seed.js";

/** How many characters are masked; `ACCORD_REPEAT=10000000` for the full count. */
const maskedLength = Number(process.env.ACCORD_REPEAT ?? 500_000);

const key = "p+w/ é\"'\\x%41 y&z=1";

function upperHex(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The spellings of a text in requests, responses and command lines. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  "percent-encoded": encodeURIComponent,
  "percent-encoded in lower case": (text) => encodeURIComponent(text).replace(/%../g, (digits) => digits.toLowerCase()),
  "percent-encoded wholly": upperHex,
  "percent-encoded wholly in lower case": (text) => upperHex(text).toLowerCase(),
  "form-encoded": (text) => new URLSearchParams({ value: text }).toString().slice("value=".length),
  "JSON-escaped": (text) => JSON.stringify(text).slice(1, -1),
  "JSON-escaped to ASCII": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "quoted for a shell": shellQuoted,
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "JSON in a form": (text) => encodeURIComponent(JSON.stringify({ value: text })),
  "JSON in a form in a command line": (text) => shellQuoted(`a=${encodeURIComponent(JSON.stringify([text]))}`),
  "JSON in JSON": (text) => JSON.stringify(JSON.stringify([text])),
  "form-encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  hex: (text) => Buffer.from(text).toString("hex"),
  "hex in upper case": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "bytes as Node shows them": (text) =>
    Buffer.from(text)
      .toString("hex")
      .replace(/..(?=.)/g, "$& "),
  "a list of its bytes": (text) => [...Buffer.from(text)].join(", "),
  "a list of its bytes in JSON": (text) => JSON.stringify([...Buffer.from(text)]),
  "base64 in a form": (text) => encodeURIComponent(Buffer.from(text).toString("base64")),
};

/** Matches the names of the spellings that write each byte as a number; in these, secrets of fewer than six bytes are not masked. */
const ofBytes = /^hex|bytes/;

/** Decodes all base64 in a text. */
function decodedBase64(text: string): string {
  return [...text.matchAll(/[A-Za-z0-9+/_-]{4,}/g)]
    .map(([run]) => Buffer.from(run, "base64").toString("utf8"))
    .join("\n");
}

describe("createMask", () => {
  it.each(Object.entries(spellings))("masks a secret that is %s", (_, spell) => {
    const text = `before ${spell(key)} after`;
    const result = createMask([key])(text);
    expect(result).toMatch(/^before .*\*\*\*.* after$/);
    expect(result).not.toContain(spell(key));
    expect(result).not.toContain("%41");
    expect(result).not.toContain("z=1");
  });

  it.each([
    ["alone", "SecretSecret", "is SecretSecret.", "is ***."],
    ["twice", "Secret", "Secret and Secret", "*** and ***"],
    ["in part percent-encoded", "ab/cd e", "x=a%62/c%64%20e&y=1", "x=***&y=1"],
    ["with mixed hex digits", "a/ü/b", "a%2f%C3%bc%2Fb", "***"],
    [
      "in a header of HTTP Basic",
      "k3y!key",
      `authorization: Basic ${btoa("me@x.org:k3y!key")}`,
      "authorization: Basic ***",
    ],
    ["as a pair", "me@x.org:k3y!key", `it had ${btoa("me@x.org:k3y!key")} in it`, "it had *** in it"],
    ["within a pair in base64", "verysecretkey", `<${btoa("a:verysecretkey")}>`, "<YT***>"],
  ])("masks a secret %s", (_, secret, text, want) => {
    expect(createMask([secret])(text)).toBe(want);
  });

  it.each<[string, (secret: string) => string]>([
    ["as decimal references of HTML", (secret) => [...secret].map((one) => `&#${one.charCodeAt(0)};`).join("")],
    [
      "as decimal references without semicolons",
      (secret) => [...secret].map((one) => `&#${one.charCodeAt(0)}`).join(""),
    ],
    ["as references with leading zeros", (secret) => [...secret].map((one) => `&#000${one.charCodeAt(0)};`).join("")],
    [
      "as hexadecimal references",
      (secret) => [...secret].map((one) => `&#x${one.charCodeAt(0).toString(16)};`).join(""),
    ],
    [
      "as references in upper case",
      (secret) => [...secret].map((one) => `&#X${one.charCodeAt(0).toString(16).toUpperCase()};`).join(""),
    ],
    [
      "with named references",
      (secret) => secret.replaceAll("/", "&sol;").replaceAll("+", "&plus;").replaceAll("&", "&amp;"),
    ],
    [
      "with references in JSON",
      (secret) => JSON.stringify([...secret].map((one) => `&#${one.charCodeAt(0)};`).join("")),
    ],
    [
      "with percent-encoded references",
      (secret) => encodeURIComponent([...secret].map((one) => `&#${one.charCodeAt(0)};`).join("")),
    ],
    ["letter by letter", (secret) => [...secret].join(" ")],
    ["letter by letter with hyphens", (secret) => [...secret].join("-")],
    ["as a list of letters", (secret) => JSON.stringify([...secret])],
    ["across a line break", (secret) => `${secret.slice(0, 9)}\n    ${secret.slice(9)}`],
    ["across line breaks in JSON", (secret) => JSON.stringify(`${secret.slice(0, 9)}\r\n${secret.slice(9)}`)],
    ["in base64 across a line break", (secret) => btoa(secret).replace(/(.{7})/g, "$1\r\n")],
    ["with soft hyphens", (secret) => [...secret].join("\u00ad")],
    ["with soft hyphens as references", (secret) => [...secret].join("&shy;")],
    ["with zero-width characters", (secret) => [...secret].join("\u200b\u2060\ufeff")],
    ["with escaped zero-width characters", (secret) => [...secret].join("\\u200d")],
    ["with bidirectional marks", (secret) => [...secret].join("\u202e")],
    ["with tags of plane 14", (secret) => [...secret].join("\u{e0041}")],
  ])("masks a secret %s", (_, spell) => {
    const secret = "aB3dE/6gH9j+kL0mN";
    const result = createMask([secret])(`before <${spell(secret)}> after`);
    expect(result).toMatch(/^before <.{0,4}\*\*\*.{0,8}> after$/su);
    for (const piece of ["aB3", "6gH", "kL0"]) expect(decodedBase64(result) + result).not.toContain(piece);
  });

  it("ignores the scattered letters of a short secret", () => {
    expect(createMask(["abcdefgh"])("a b c d e f g h, abcd-efgh")).toBe("a b c d e f g h, abcd-efgh");
  });

  it.each(["&#97;", "%26%2397%3b\\u0026'\\''", "a ", "\u00ad", "&#0000000000", "%5c%75"])(
    "takes linear time for a long text of %j",
    (piece) => {
      const text = piece.repeat(Math.ceil(maskedLength / piece.length));
      const started = performance.now();
      createMask(["aB3dE/6gH9j+kL0mN"])(text);
      // Quadratic time would be hours.
      expect(performance.now() - started).toBeLessThan(maskedLength / 2);
    },
  );

  it("masks the longest of several secrets with a common prefix, and all overlapping secrets", () => {
    expect(createMask(["abcd", "abcdefgh"])("abcdefgh abcdef")).toBe("*** ***ef");
    expect(createMask(["abcdef", "defghi"])("abcdefghi")).toBe("***");
  });

  it("ignores secrets of fewer than four characters", () => {
    expect(createMask(["", "a", "abc"])("abc a")).toBe("abc a");
    expect(createMask(["abcd"])("abcd")).toBe("***");
  });

  it("ignores the byte values and other letter cases of short secrets", () => {
    expect(createMask(["1235a"])('{"ids":[49,50,51,53,97]} 3132333561')).toBe('{"ids":[49,50,51,53,97]} 3132333561');
    expect(createMask(["Channels"])("CHANNELS channels")).toBe("CHANNELS channels");
    expect(createMask(["aB3dE6gH9j"])("AB3DE6GH9J ab3de6gh9j Ab3De6Gh9J")).toBe("*** *** Ab3De6Gh9J");
  });

  it.each([
    "GET /api/v1/messages?anchor=17&num_before=2 HTTP/1.1\nAccept: application/json\n\n",
    '{"result":"success","msg":"","token_kind":"apns","tokens":["a"],"password_required":true}',
    "token: must be string",
    "the token is required; Basic authentication is not offered",
    'WWW-Authenticate: Basic realm="chat"',
    "http://127.0.0.1:9991/api/v1?x=a@b",
    "curl --user-agent 'x:y' -X POST 'http://localhost/a'",
    "password=&token=",
    '{"password":"","token":null,"api_key":{"a":1}}',
  ])("keeps a text without secrets: %s", (text) => {
    expect(createMask(["unrelated"])(text)).toBe(text);
  });

  it.each([
    ["Authorization: Basic bWU6a2V5", "Authorization: Basic ***"],
    ["authorization: Bearer abc.def\r\nAccept: */*", "authorization: Bearer ***\r\nAccept: */*"],
    ["Authorization: something else\nB: c", "Authorization: ***\nB: c"],
    ["Set-Cookie: session=1; Path=/\nB: c", "Set-Cookie: ***\nB: c"],
    ["< Cookie: session=1", "< Cookie: ***"],
    ["X-Api-Key: 123\nB: c", "X-Api-Key: ***\nB: c"],
    ["curl -H 'Authorization: Basic abc' -H 'Accept: x'", "curl -H 'Authorization: Basic ***' -H 'Accept: x'"],
    ["curl -H 'Cookie: a='\\''b'\\''; c=d' -d x", "curl -H 'Cookie: ***' -d x"],
    ["curl -u me@x.org:key http://x", "curl -u me@x.org:*** http://x"],
    ["curl --user 'me@x.org:key' http://x", "curl --user 'me@x.org:***' http://x"],
    ["curl --data-urlencode 'token=a b c' http://x", "curl --data-urlencode 'token=***' http://x"],
    ["curl -d 'a=1&password=p%26q&b=2'", "curl -d 'a=1&password=***&b=2'"],
    ["appid=org.x&token=7feab5&x=1", "appid=org.x&token=***&x=1"],
    ["/fetch_api_key?api_key=abc#f", "/fetch_api_key?api_key=***"],
    ['{"api_key": "a\\"b", "email": "me"}', '{"api_key": "***", "email": "me"}'],
    ['{"password":12345}', '{"password":***}'],
    ['"{\\"new_password\\":\\"abc\\"}"', '"{\\"new_password\\":\\"***\\"}"'],
    ["x=%7B%22token%22%3A%22abc%22%7D", "x=%7B%22token%22%3A%22***%22%7D"],
    ["see https://user:word@host/path", "see https://user:***@host/path"],
    ["it said Basic bWU6a2V5 to it", "it said Basic *** to it"],
    [
      'Content-Disposition: form-data; name="token"\r\nContent-Type: text/plain\r\n\r\na\nb\r\n--x\r\n',
      'Content-Disposition: form-data; name="token"\r\nContent-Type: text/plain\r\n\r\n***\r\n--x\r\n',
    ],
  ])("masks unknown secrets in %s", (text, want) => {
    const mask = createMask([]);
    expect(mask(text)).toBe(want);
    expect(mask(want)).toBe(want);
  });

  it("masks any secret in any spelling in any text", () => {
    const texts = fc.string({ unit: anyCharacter, maxLength: 30 });
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, minLength: 4, maxLength: 30 }).filter((text) => text.length >= 4),
        fc.constantFrom(...Object.keys(spellings)),
        texts,
        texts,
        (secret, name, before, after) => {
          fc.pre(Buffer.byteLength(secret) >= 6 || !ofBytes.test(name));
          const spelled = spellings[name]?.(secret) ?? "";
          const result = createMask([secret])(`${before} ${spelled} ${after}`);
          // A secret with asterisks may be a part of the mask.
          return secret.includes("*") || (!result.includes(spelled) && !decodedBase64(result).includes(secret));
        },
      ),
      { seed: propertySeed, numRuns: propertyRuns(500) },
    );
  });

  it("masks a secret with any characters percent-encoded", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }), fc.boolean()), {
          minLength: 4,
        }),
        (parts) => {
          const secret = parts.map(([character]) => character).join("");
          const spelled = parts.map(([character, encoded]) =>
            encoded || character === "%" ? upperHex(character) : character,
          );
          return createMask([secret])(`<${spelled.join("")}>`) === "<***>";
        },
      ),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });

  it("keeps a text without secrets, and changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.array(fc.string({ unit: anyCharacter })), (text, secrets) => {
        const mask = createMask(secrets);
        const once = mask(text);
        expect(once === text || once.includes("***")).toBe(true);
        expect(createMask([])(once)).toBe(once);
      }),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });

  it.each([
    ["quotes", "'token=' ".repeat(100_000)],
    ["parts", 'name="token"\n'.repeat(20_000)],
    ["names", "token".repeat(200_000)],
    ["users", "://a:".repeat(50_000)],
    ["escapes", "%25\\\\'\\''".repeat(20_000)],
    ["members", '"token":"'.repeat(30_000)],
    ["words", "Basic ".repeat(40_000)],
    ["options", " -u a".repeat(40_000)],
  ])("does not take quadratic time for a long text of %s", (_, text) => {
    // Quadratic time would take minutes.
    expect(createMask(["a".repeat(30), "%25%25%25%25", "tokentokentoken"])(text)).not.toBe("");
  });
});
